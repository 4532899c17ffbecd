#!/usr/bin/env python3
"""How good the model of time is: `report.py [--svg FILE]` prints a Markdown report, with the constants as they stand in
h200.toml, and draws modelled against measured times. Operators are left out of the fit that models them. Exit status 1
when a goal is missed."""

import argparse
import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from fit import START, by_task, leave_one_out
from model import COUNTED, MEASURED, ROOT, Library, Model, load, rank_correlation, read_profile, rms_log

SVG = ROOT / "docs/images/model-fit.svg"
GOALS = {"schedules": 100, "operators": 10, "median within a task, left out": 0.6, "pooled": 0.8}
COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf",
           "#005f73", "#ca6702", "#9b2226", "#386641", "#5f0f40", "#3a86ff", "#6a994e")


def scatter(points, modelled, measured):
    """Modelled over measured, both on logarithmic axes, a colour for each operator."""
    left, top, size = 64, 16, 480
    low, high = 4.0, 2000.0

    def at(us):
        return (math.log(us) - math.log(low)) / (math.log(high) - math.log(low)) * size

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + size + 150}" height="{top + size + 52}" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="none" stroke="#888"/>']
    for tick in (5, 10, 20, 50, 100, 200, 500, 1000):
        x, y = left + at(tick), top + size - at(tick)
        lines += [f'<path d="M{x:.1f} {top}V{top + size}M{left} {y:.1f}H{left + size}" stroke="#e4e4e4"/>',
                  f'<text x="{x:.1f}" y="{top + size + 16}" text-anchor="middle">{tick}</text>',
                  f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>']
    lines += [f'<path d="M{left} {top + size}L{left + size} {top}" stroke="#444"/>',
              *(f'<path d="M{left + at(a):.1f} {top + size - at(b):.1f}L{left + at(c):.1f} {top + size - at(d):.1f}" '
                'stroke="#aaa" stroke-dasharray="4 4"/>'
                for a, b, c, d in ((low, 2 * low, high / 2, high), (2 * low, low, high, high / 2))),
              f'<text x="{left + size / 2}" y="{top + size + 40}" text-anchor="middle">measured on an H200, µs</text>',
              f'<text transform="translate(16 {top + size / 2}) rotate(-90)" text-anchor="middle">modelled, µs</text>']
    operators = list(dict.fromkeys(point.operator for point in points))
    for n, operator in enumerate(operators):
        colour = COLOURS[n % len(COLOURS)]
        lines.append(f'<g fill="{colour}" fill-opacity="0.7">')
        for point, model, true in zip(points, modelled, measured):
            if point.operator == operator:
                x, y = left + at(min(max(true, low), high)), top + size - at(min(max(model, low), high))
                lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>')
        lines += ["</g>", f'<circle cx="{left + size + 18}" cy="{top + 10 + 20 * n}" r="4" fill="{colour}"/>',
                  f'<text x="{left + size + 28}" y="{top + 14 + 20 * n}">{operator}</text>']
    return "\n".join([*lines, "</svg>"]) + "\n"


def compare_with_real(library, points, real, profile):
    """Times from scaled counts beside those from counts at the real sizes, for the operators that `real` has."""
    counted = json.loads(real.read_text())["operators"]
    found = []
    for point in points:
        for record in counted.get(point.operator, {}).get(point.name, []):
            if ", ".join(f"{key} {value}" for key, value in record["sizes"].items()) == point.task:
                found.append((point, replace(point, launches=record["launches"], operators=record["operators"])))
    scaled = Model(library, [before for before, _ in found]).us(profile)
    true = Model(library, [after for _, after in found]).us(profile)
    off = abs(scaled / true - 1)
    worst = found[int(np.argmax(off))][0]
    print(f"\nTimes from scaled counts, beside those from counts at the real sizes: {len(found)} schedules of "
          f"{len({p.operator for p, _ in found})} operators, median difference {np.median(off):.1%}, "
          f"{np.mean(off < 0.02):.0%} within 2 %, largest {max(off):.0%} ({worst.operator}, {worst.name}, {worst.task}).")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counted", type=Path, default=COUNTED)
    parser.add_argument("--measured", type=Path, default=MEASURED)
    parser.add_argument("--svg", type=Path, default=SVG)
    parser.add_argument("--real", type=Path, help="what count.py --real wrote: scaled counts are compared with it")
    options = parser.parse_args()
    if not options.counted.exists():
        sys.exit(f"{options.counted} is not there: bench/model_fit/count.py --out {options.counted}")
    library = Library()
    points, references = load(library, options.counted, options.measured)
    profile = read_profile()
    environment = json.loads(options.measured.read_text())["environment"]
    print(f"Measured: {environment['device']}, torch {environment['torch']}, Triton {environment['triton']}. Counted: Triton "
          f"{json.loads(options.counted.read_text())['environment']['triton']}, at sizes that run quickly, and scaled.\n")

    model = Model(library, points)
    measured, fitted = model.measured_us, model.us(profile)
    left_out = leave_one_out(library, points, profile, START)
    tasks = by_task(points)
    print("Rank correlation (Spearman) of modelled and measured times over the schedules of each task; `ratio` is modelled over "
          "measured, geometric mean, and `spread` the rms error of the logarithm, both with the operator left out.\n")
    print("| operator | sizes | schedules | measured µs | fitted | left out | ratio | spread |\n|---|---|---|---|---|---|---|---|")
    within = {"fitted": [], "left out": []}
    for (operator, sizes), n in tasks.items():
        both = rank_correlation(fitted[n], measured[n]), rank_correlation(left_out[n], measured[n])
        within["fitted"].append(both[0])
        within["left out"].append(both[1])
        ratio = math.exp(float(np.mean(np.log(left_out[n] / measured[n]))))
        print(f"| {operator} | {sizes} | {len(n)} | {min(measured[n]):.1f} to {max(measured[n]):.1f} | {both[0]:.2f} | "
              f"{both[1]:.2f} | {ratio:.2f} | {rms_log(left_out[n], measured[n]):.2f} |")

    best = [measured[n][np.argmin(left_out[n])] / min(measured[n]) for n in tasks.values()]
    reference_model = Model(library, references)
    reference_us = reference_model.us(profile)
    print("\n| over all | fitted | left out |\n|---|---|---|")
    print(f"| median rank correlation within a task | {np.median(within['fitted']):.3f} | {np.median(within['left out']):.3f} |")
    print(f"| worst | {min(within['fitted']):.2f} | {min(within['left out']):.2f} |")
    print(f"| rank correlation, pooled | {rank_correlation(fitted, measured):.3f} | {rank_correlation(left_out, measured):.3f} |")
    print(f"| rms error of log time | {rms_log(fitted, measured):.3f} | {rms_log(left_out, measured):.3f} |")
    print(f"| within a factor of 1.5 | {np.mean(abs(np.log(fitted / measured)) < math.log(1.5)):.0%} | "
          f"{np.mean(abs(np.log(left_out / measured)) < math.log(1.5)):.0%} |")
    print(f"| the schedule modelled as fastest, over the fastest: median, worst | | {np.median(best):.2f}, {max(best):.2f} |")
    print(f"\n{len(references)} torch references: rank correlation {rank_correlation(reference_us, reference_model.measured_us):.3f}, "
          f"rms error of log time {rms_log(reference_us, reference_model.measured_us):.3f}.")
    blind = [replace(p, launches=[{**launch, "shape": {**launch["shape"], "registers": 0, "spills": 0, "shared": 0}}
                                  for launch in p.launches]) for p in points]
    guessed = Model(library, blind).us(profile)
    correlations = [rank_correlation(guessed[n], measured[n]) for n in tasks.values()]
    print(f"\nWithout a compiler's word on registers, spills and shared memory, same constants: median rank correlation within a "
          f"task {np.median(correlations):.3f}, pooled {rank_correlation(guessed, measured):.3f}, rms error of log time "
          f"{rms_log(guessed, measured):.3f}.")
    doubtful = sum(point.error > 0.02 for point in points)
    print(f"\nCounts scaled with more than 2 % error: {doubtful} of {len(points)}.")

    if options.real:
        compare_with_real(library, points, options.real, profile)
    error = np.log(left_out / measured)
    print("\nThe ten worst, left out:\n\n| operator | sizes | schedule | measured µs | modelled µs |\n|---|---|---|---|---|")
    for n in np.argsort(-abs(error))[:10]:
        point = points[n]
        print(f"| {point.operator} | {point.task} | {point.name} | {measured[n]:.1f} | {left_out[n]:.1f} |")

    found = {"schedules": len(points), "operators": len({p.operator for p in points}),
             "median within a task, left out": float(np.median(within["left out"])),
             "pooled": rank_correlation(left_out, measured)}
    print("\n| goal | at least | found |\n|---|---|---|")
    for name, goal in GOALS.items():
        print(f"| {name} | {goal} | {found[name]:.3g}{'' if found[name] >= goal else ' MISSED'} |")
    options.svg.parent.mkdir(parents=True, exist_ok=True)
    options.svg.write_text(scatter(points, left_out, measured))
    return 0 if all(found[name] >= goal for name, goal in GOALS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
