#!/usr/bin/env python3
"""Fits the model's constants to what was measured: `fit.py [--counted FILE] [--measured FILE] [--write]`.

Least squares on the logarithm of time, by Gauss-Newton; large errors count less than their square, and each constant is
held to its starting value by a weak prior, so that one that no schedule depends on stays where it is. Every operator is
left out once to see how good the model is for operators it has not seen. --write puts the constants into h200.toml."""

import argparse
import math
import re
import sys
from pathlib import Path

import numpy as np

from model import (COUNTED, MEASURED, PROFILE, Library, Model, constant, load, rank_correlation, read_profile, rms_log,
                   with_constants)

# Where the fit starts: data sheets, and what simple kernels show.
START = {
    "dram_bytes_per_s": 4.2e12,
    "launch_us": 1.9,
    "operations_per_s.integer": 5.0e13,
    "operations_per_s.float32": 3.3e13,
    "operations_per_s.special": 4.2e12,
    "operations_per_s.dot_tf32": 1.5e14,
    "schedule.programs_per_s": 1.65e9,
    "schedule.program_us": 0.8,
    "schedule.memory_wait_us": 0.6,
    "schedule.overlapped_trips": 5.0,
    "schedule.unstaged_waits": 1.0,
    "schedule.combination_us": 0.065,
    "schedule.load_lines_per_s": 4.0e11,
    "schedule.store_lines_per_s": 7.0e10,
    "schedule.atomic_sectors_per_s": 3.0e10,
    "schedule.spill_bytes_per_s": 6.6e12,
    "schedule.dot_bytes_per_s": 2.5e13,
}
TORCH_START = {
    "torch.launch_us": 2.5,
    "torch.product_us": 3.0,
    "torch.streaming": 1.0,
    "torch.gathering": 0.8,
    "torch.spatial": 0.5,
    "torch.scanning": 0.3,
    "torch.products": 0.8,
    "torch.convolutions": 0.4,
}
ROBUST = 0.3  # errors beyond this count less than their square
PRIOR = 0.15  # how strongly constants are held, for 40 points
STEP = 0.02


def fit(model, profile, start, most=12):
    """The profile with the constants of `start` fitted to the model's points."""
    keys, first = list(start), np.array(list(start.values()))
    prior = PRIOR * math.sqrt(len(model.measured_us) / 40)
    target = np.log(model.measured_us)

    def at(x):
        return with_constants(profile, keys, first * np.exp(x))

    def errors(x):
        return np.log(model.us(at(x))) - target

    def cost(e, x):
        return float(np.sum(2 * ROBUST**2 * (np.sqrt(1 + (e / ROBUST) ** 2) - 1)) + np.sum((prior * x) ** 2))

    x = np.zeros(len(keys))
    e = errors(x)
    now, damping = cost(e, x), 1e-2
    for _ in range(most):
        slopes = np.stack([(errors(x + STEP * unit) - e) / STEP for unit in np.eye(len(keys))], 1)
        weight = 1 / np.sqrt(1 + (e / ROBUST) ** 2)
        left = slopes.T @ (slopes * weight[:, None]) + prior**2 * np.eye(len(keys))
        right = slopes.T @ (weight * e) + prior**2 * x
        for _ in range(6):
            step = np.clip(-np.linalg.solve(left + damping * np.diag(np.diag(left)), right), -0.7, 0.7)
            new = errors(x + step)
            then = cost(new, x + step)
            if then < now:
                break
            damping *= 5
        else:
            break
        settled = now - then < 1e-3 * now
        x, e, now, damping = x + step, new, then, max(damping / 5, 1e-4)
        if settled:
            break
    return at(x)


def leave_one_out(library, points, profile, start):
    """Modelled times, each by constants fitted without the point's operator."""
    found = np.zeros(len(points))
    for operator in dict.fromkeys(point.operator for point in points):
        rest = [point for point in points if point.operator != operator]
        mine = [n for n, point in enumerate(points) if point.operator == operator]
        fitted = fit(Model(library, rest), profile, start)
        found[mine] = Model(library, [points[n] for n in mine]).us(fitted)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def by_task(points):
    tasks = {}
    for n, point in enumerate(points):
        tasks.setdefault((point.operator, point.task), []).append(n)
    return tasks


def write(profile, path, keys):
    """Replaces the figures of lines marked "fitted", and of those that follow them; the rest of the file stays."""
    text = Path(path).read_text()
    for key in keys:
        section, _, name = key.rpartition(".")
        value = float(f"{constant(profile, key):.3g}")
        shown = f"{value:.3g}" if 1e-3 < value < 1e4 else f"{value:.2e}".replace("e+0", "e").replace("e+", "e")
        begin = text.index(f"[{section}]") if section else 0
        head, tail = text[:begin], text[begin:]
        pattern = re.compile(rf"^({name} = )(\S+)( *)", re.M)
        found = pattern.search(tail)
        padded = found[1] + shown
        padded += " " * max(1, len(found[0]) - len(padded)) if found[3] else ""
        text = head + tail[: found.start()] + padded + tail[found.end() :]
    Path(path).write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counted", type=Path, default=COUNTED)
    parser.add_argument("--measured", type=Path, default=MEASURED)
    parser.add_argument("--write", action="store_true", help="put the constants into src/ttir/data/h200.toml")
    options = parser.parse_args()
    library = Library()
    schedules, references = load(library, options.counted, options.measured)
    profile = read_profile()
    # Torch's own kernels first: some schedules call them. dram_bytes_per_s is the schedules' to say.
    for _ in range(2):
        profile = fit(Model(library, references), profile, TORCH_START)
        profile = fit(Model(library, schedules), profile, START)
    for key, first in {**START, **TORCH_START}.items():
        print(f"{key:35} {constant(profile, key):10.4g}   start {first:.4g}")
    for title, points in (("schedules", schedules), ("references", references)):
        model = Model(library, points)
        modelled = model.us(profile)
        print(f"{len(points)} {title}: rank correlation {rank_correlation(modelled, model.measured_us):.3f}, "
              f"rms error of log time {rms_log(modelled, model.measured_us):.3f}")
    left_out = leave_one_out(library, schedules, profile, START)
    measured = np.array([point.measured_us for point in schedules])
    within = {task: rank_correlation(left_out[n], measured[n]) for task, n in by_task(schedules).items()}
    print(f"operators left out: rank correlation within a task {np.median(list(within.values())):.3f} at the median, "
          f"pooled {rank_correlation(left_out, measured):.3f}, rms error of log time {rms_log(left_out, measured):.3f}")
    if options.write:
        derived = ["operations_per_s.float16", "operations_per_s.float64", "operations_per_s.conversion"]
        write(profile, PROFILE, [*START, *TORCH_START, *derived])


if __name__ == "__main__":
    main()
