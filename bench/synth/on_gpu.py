#!/usr/bin/env python3
"""What the embedded teacher has to show on a GPU, in one command and a few minutes.

    python bench/synth/on_gpu.py --out $OUT

Two parts: every schedule of some tasks of each family, measured (measure.py); and fault-free responses through
`tritonrl verify`. Each stops when its share of --seconds is used and says how far it came; run again, it goes on with
what is kept under --work. Results are results.json and results.md in --out. With --device cpu speed is modelled: a
rehearsal.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from acceptance import why  # noqa: E402
from plan_to_learn import known_families, measured, report  # noqa: E402
from teacher_run import Judged, make, verify  # noqa: E402
from verdicts import DEFAULT_BINARY, BenchError, require_binary  # noqa: E402

def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--out", type=Path, default=Path(os.environ.get("OUT", "build/bench/synth/on_gpu/results")))
    options.add_argument("--work", type=Path, default=Path("build/bench/synth/on_gpu"), help="what is kept between runs")
    options.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    options.add_argument("--seconds", type=float, default=360, help="for both parts")
    options.add_argument("--right", type=int, default=300, help="fault-free responses to verify; 0: none")
    options.add_argument("--tasks", type=int, default=4, help="tasks a family to measure; 0: none")
    options.add_argument("--families", default="", help="measure only these, by commas")
    options.add_argument("--seed", type=int, default=3)
    options.add_argument("--jobs", type=int, default=min(12, os.cpu_count() or 1))
    arguments = options.parse_args()
    binary = require_binary(arguments.binary)
    arguments.out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    for_plan = arguments.seconds * (0.5 if arguments.right else 1)
    plan = measured_plan(binary, arguments, began + for_plan) if arguments.tasks else []
    accepted = accepted_responses(binary, arguments, began + arguments.seconds) if arguments.right else []
    write(arguments, plan, accepted, time.time() - began)
    return 0 if all(one.accepted for one in accepted) else 1


def measured_plan(binary: Path, arguments: argparse.Namespace, stop: float) -> list[Judged]:
    """Every schedule of some tasks of each family, with its speed."""
    folder = arguments.work / "plan"
    folder.mkdir(parents=True, exist_ok=True)
    tasks, samples = [], []
    for family in arguments.families.split(",") if arguments.families else known_families(binary):
        what = ["--tasks", str(arguments.tasks), "--samples", "0", "--seed", str(arguments.seed), "--fault-free"]
        samples += make(binary, folder / "family", *what, "--families", family)
        tasks += (folder / "family/tasks.jsonl").read_text().splitlines()
    (folder / "tasks.jsonl").write_text("\n".join(tasks) + "\n")
    (folder / "samples.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    left = max(stop - time.time(), 20)
    if arguments.device == "cpu":
        return verify(binary, folder, samples, *verifying(arguments, "train"), seconds=left)
    rows = folder / "measured.jsonl"
    command = [sys.executable, str(Path(__file__).with_name("measure.py")), str(folder), "--out", str(rows)]
    command += ["--workers", str(os.cpu_count()), "--compile-seconds", str(left * 0.65), "--time-seconds", str(left * 0.35)]
    subprocess.run(command, check=False)
    return [measured(json.loads(line)) for line in rows.open()] if rows.exists() else []


def accepted_responses(binary: Path, arguments: argparse.Namespace, stop: float) -> list[Judged]:
    folder = arguments.work / "right"
    what = ["--tasks", str(arguments.right), "--samples", "1", "--seed", str(arguments.seed), "--fault-free"]
    samples = make(binary, folder, *what)
    return verify(binary, folder, samples, *verifying(arguments, "full"), seconds=max(stop - time.time(), 20))


def verifying(arguments: argparse.Namespace, depth: str) -> list[str]:
    return ["--device", arguments.device, "--jobs", str(arguments.jobs), "--depth", depth]


def write(arguments: argparse.Namespace, plan: list[Judged], accepted: list[Judged], seconds: float) -> None:
    right = sum(one.accepted for one in accepted)
    families = Counter(one.family for one in accepted)
    good = Counter(one.family for one in accepted if one.accepted)
    misses = [{"task": one.sample["task"], "schedule": one.schedule, "why": why(one)} for one in accepted if not one.accepted]
    speeds = [
        {**{name: one.sample[name] for name in ("task", "sample", "family", "level", "schedule")}, "speedup": one.speedup}
        for one in plan
    ]
    wrong = [one.sample for one in plan if one.speedup is None]
    found = {"device": arguments.device, "seconds": round(seconds), "judged": len(accepted), "accepted": right, "misses": misses}
    (arguments.out / "results.json").write_text(json.dumps({**found, "speeds": speeds}, indent=1) + "\n")
    lines = [f"# The embedded teacher on {arguments.device}", "", *report(plan), ""]
    lines += [f"- no speed: {one['task']} {one['schedule']}: {one.get('verdict', '')}" for one in wrong]
    lines += ["", f"Fault-free responses: {right} of {len(accepted)} accepted (asked for {arguments.right}).", ""]
    lines += ["| family | responses | accepted |", "|---|---|---|"]
    lines += [f"| {family} | {count} | {good[family]} |" for family, count in sorted(families.items())]
    lines += ["", *(f"- {miss['task']} [{miss['schedule']}]: {miss['why']}" for miss in misses)]
    (arguments.out / "results.md").write_text("\n".join(lines) + "\n")
    print(f"{right} of {len(accepted)} accepted, {len(plan)} schedules measured, {len(wrong)} of them without a speed, {seconds:.0f} s")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"on_gpu: {error}", file=sys.stderr)
        sys.exit(3)
