#!/usr/bin/env python3
"""Whether there is a plan to learn: how much speed depends on the schedule, and the schedule on the task.

For each family some tasks, each with every schedule that the teacher knows. Speed is what `tritonrl verify` says:
modelled without a GPU, measured on one; or with --measured what measure.py has written. A killed run goes on where it
was: verdicts are kept under --work.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from teacher_run import Judged, make, verify  # noqa: E402
from verdicts import DEFAULT_BINARY, BenchError, require_binary  # noqa: E402

CAP = 2.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--tasks", type=int, default=6, help="tasks a family")
    options.add_argument("--families", default="", help="only these, by commas")
    options.add_argument("--seed", type=int, default=2)
    options.add_argument("--device", default="cpu")
    options.add_argument("--depth", default="train")
    options.add_argument("--jobs", default="2")
    options.add_argument("--work", type=Path, default=Path("build/bench/synth/plan"), help="what is kept between runs")
    options.add_argument("--measured", type=Path, help="a file of measure.py, instead of verifying")
    arguments = options.parse_args()
    if arguments.measured:
        print("\n".join(report([measured(json.loads(line)) for line in arguments.measured.open()])))
        return 0
    binary = require_binary(arguments.binary)
    families = arguments.families.split(",") if arguments.families else known_families(binary)
    judged: list[Judged] = []
    for family in families:
        folder = arguments.work / family
        what = ["--tasks", str(arguments.tasks), "--samples", "0", "--seed", str(arguments.seed)]
        samples = make(binary, folder, *what, "--fault-free", "--families", family)
        run = ["--device", arguments.device, "--depth", arguments.depth, "--jobs", arguments.jobs]
        judged += verify(binary, folder, samples, *run)
        print(f"{family}: {len(samples)} responses", file=sys.stderr, flush=True)
    print("\n".join(report(judged)))
    return 0


def known_families(binary: Path) -> list[str]:
    out = subprocess.run([str(binary), "data", "make", "--count", "--draws", "1"], capture_output=True, text=True, check=True)
    names = [line.split()[2] for line in out.stdout.splitlines()]
    return [name for name in names if name != "all"]


def measured(row: dict) -> Judged:
    """A row of measure.py in a verdict's clothes."""
    if row["verdict"] != "right":
        return Judged(row, {"accepted": False})
    return Judged(row, {"accepted": True, "speedup": {"value": row["reference_us"] / row["candidate_us"]}})


def report(judged: list[Judged]) -> list[str]:
    """The table, line by line."""
    by_task: dict[tuple[int, str, str], dict[str, float]] = defaultdict(dict)
    for one in judged:
        if one.speedup is not None:
            by_task[one.sample["level"], one.family, one.sample["task"]][one.schedule] = one.speedup
    families: dict[tuple[int, str], list[dict[str, float]]] = defaultdict(list)
    levels: dict[int, list[dict[str, float]]] = defaultdict(list)
    for (level, family, _), speeds in by_task.items():
        families[level, family].append(speeds)
        levels[level].append(speeds)
    lines = [
        "| level | family | tasks | schedules | fast_1 of the best | best >= 0.9 | range of min(speedup, 2) "
        "| one for all | one for all, up to 2 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for (level, family), tasks in sorted(families.items()):
        one = f"{percent(best_single(tasks))} | {percent(best_single(tasks, CAP))}"
        lines.append(f"| {level} | {family} | {row_of(tasks)} | {one} |")
    for level, tasks in sorted(levels.items()):
        lines.append(f"| {level} | all | {row_of(tasks)} | | |")
    rejected = sum(one.speedup is None for one in judged)
    return [*lines, "", f"{len(judged)} responses, {rejected} of them without a speed"]


def row_of(tasks: list[dict[str, float]]) -> str:
    best = [max(speeds.values()) for speeds in tasks]
    spread = [min(max(s.values()), CAP) - min(min(s.values()), CAP) for s in tasks]
    counts = [len(speeds) for speeds in tasks]
    return (
        f"{len(tasks)} | {min(counts)} to {max(counts)} | {percent(sum(b > 1 for b in best) / len(best))} "
        f"| {percent(sum(b >= 0.9 for b in best) / len(best))} | {statistics.median(spread):.2f}"
    )


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def best_single(tasks: list[dict[str, float]], cap: float = float("inf")) -> float:
    """The best that one schedule does on all tasks, over each task's own best. Where a task does not have it: its poorest."""
    schedules = {schedule for speeds in tasks for schedule in speeds}
    return max(
        statistics.mean(
            min(speeds.get(schedule, min(speeds.values())), cap) / min(max(speeds.values()), cap) for speeds in tasks
        )
        for schedule in schedules
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"plan_to_learn: {error}", file=sys.stderr)
        sys.exit(3)
