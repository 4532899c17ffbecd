#!/usr/bin/env python3
"""Whether there is a plan to learn: how much speed depends on the schedule, and the schedule on the task.

For each family some tasks, each with every schedule that the teacher knows. Speed is what `tritonrl verify` says:
modelled without a GPU, measured on one; or with --measured what measure.py has written.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
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
    options.add_argument("--measured", type=Path, help="a file of measure.py, instead of verifying")
    arguments = options.parse_args()
    if arguments.measured:
        report([measured(json.loads(line)) for line in arguments.measured.open()])
        return 0
    binary = require_binary(arguments.binary)
    families = arguments.families.split(",") if arguments.families else known_families(binary)
    judged: list[Judged] = []
    with tempfile.TemporaryDirectory() as place:
        for family in families:
            folder = Path(place) / family
            what = ["--tasks", str(arguments.tasks), "--samples", "0", "--seed", str(arguments.seed)]
            samples = make(binary, folder, *what, "--fault-free", "--families", family)
            run = ["--device", arguments.device, "--depth", arguments.depth, "--jobs", arguments.jobs]
            judged += verify(binary, folder, samples, *run)
    report(judged)
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


def report(judged: list[Judged]) -> None:
    by_task: dict[tuple[int, str, str], dict[str, float]] = defaultdict(dict)
    for one in judged:
        if one.speedup is not None:
            by_task[one.sample["level"], one.family, one.sample["task"]][one.schedule] = one.speedup
    families: dict[tuple[int, str], list[dict[str, float]]] = defaultdict(list)
    for (level, family, _), speeds in by_task.items():
        families[level, family].append(speeds)
    print("| level | family | tasks | fast_1 of the best | best >= 0.9 | range of min(speedup, 2) | one schedule for all |")
    print("|---|---|---|---|---|---|---|")
    levels: dict[int, list[dict[str, float]]] = defaultdict(list)
    for (level, family), tasks in sorted(families.items()):
        levels[level] += tasks
        best = [max(speeds.values()) for speeds in tasks]
        spread = [min(max(s.values()), CAP) - min(min(s.values()), CAP) for s in tasks]
        print(
            f"| {level} | {family} | {len(tasks)} | {share(b > 1 for b in best)} | {share(b >= 0.9 for b in best)} "
            f"| {statistics.median(spread):.2f} | {100 * best_single(tasks):.0f} % |"
        )
    for level, tasks in sorted(levels.items()):
        best = [max(speeds.values()) for speeds in tasks]
        spread = [min(max(s.values()), CAP) - min(min(s.values()), CAP) for s in tasks]
        print(
            f"level {level}: {len(tasks)} tasks, best schedule beats eager in {share(b > 1 for b in best)}, "
            f"reaches 0.9 in {share(b >= 0.9 for b in best)}, median range {statistics.median(spread):.2f}"
        )


def share(holds) -> str:
    found = list(holds)
    return f"{100 * sum(found) / len(found):.0f} %"


def best_single(tasks: list[dict[str, float]]) -> float:
    """The best that one schedule does on all tasks, over what each task's own best does; absent ones count as zero."""
    schedules = {schedule for speeds in tasks for schedule in speeds}
    reached = [
        sum(min(speeds.get(schedule, 0.0), CAP) / min(max(speeds.values()), CAP) for speeds in tasks) / len(tasks)
        for schedule in schedules
    ]
    return max(reached)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"plan_to_learn: {error}", file=sys.stderr)
        sys.exit(3)
