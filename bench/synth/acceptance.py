#!/usr/bin/env python3
"""Whether the embedded teacher says what it means: fault-free responses accepted, faults rejected, tasks admitted.

Every miss is listed with its reason. On a machine without a GPU a response takes about a second of one core. A killed
run goes on where it was: verdicts are kept under --work.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from teacher_run import Judged, admit, make, verify  # noqa: E402
from verdicts import DEFAULT_BINARY, BenchError, require_binary  # noqa: E402

GOALS = {"accepted": 0.995, "accepted in every family": 0.98, "rejected": 0.99, "admitted": 1.0}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--right", type=int, default=500, help="fault-free responses")
    options.add_argument("--wrong", type=int, default=300, help="responses with faults")
    options.add_argument("--admit", type=int, default=500, help="tasks to admit")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--device", default="cpu")
    options.add_argument("--depth", default="full")
    options.add_argument("--jobs", default="2")
    options.add_argument("--work", type=Path, default=Path("build/bench/synth/acceptance"), help="what is kept between runs")
    options.add_argument("--small-sizes", action="store_true", help="tasks at small sizes")
    arguments = options.parse_args()
    binary = require_binary(arguments.binary)
    sizes = ["--small-sizes"] if arguments.small_sizes else []
    run = ["--device", arguments.device, "--depth", arguments.depth, "--jobs", arguments.jobs]
    met = True
    common = ["--seed", str(arguments.seed), "--samples", "1", *sizes]
    if arguments.right:
        folder = arguments.work / "right"
        samples = make(binary, folder, "--tasks", str(arguments.right), "--fault-free", *common)
        met &= report_right(verify(binary, folder, samples, *run))
    if arguments.wrong:
        folder = arguments.work / "wrong"
        rates = ["--slips", "0.6", "--cheats", "0.15", "--broken-format", "0.05"]
        samples = make(binary, folder, "--tasks", str(2 * arguments.wrong), *rates, *common)
        faulty = [sample for sample in samples if sample["faults"]][: arguments.wrong]
        met &= report_wrong(verify(binary, folder, faulty, *run))
    if arguments.admit:
        folder = arguments.work / "admit"
        make(binary, folder, "--tasks", str(arguments.admit), "--fault-free", *common)
        met &= report_admitted(admit(binary, folder, "--jobs", arguments.jobs))
    return 0 if met else 1


def goal(name: str, share: float) -> bool:
    print(f"{name}: {100 * share:.1f} % (goal {100 * GOALS[name]:.1f} %){'' if share >= GOALS[name] else '  MISSED'}")
    return share >= GOALS[name]


def report_right(judged: list[Judged]) -> bool:
    families: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        families[one.family].append(one.accepted)
        if not one.accepted:
            print(f"  {one.sample['task']} [{one.schedule}]: {why(one)}")
    print("| family | responses | accepted |\n|---|---|---|")
    for family, accepted in sorted(families.items()):
        print(f"| {family} | {len(accepted)} | {sum(accepted)} |")
    worst = min(sum(accepted) / len(accepted) for accepted in families.values())
    whole = goal("accepted", sum(one.accepted for one in judged) / len(judged))
    return goal("accepted in every family", worst) and whole


def report_wrong(judged: list[Judged]) -> bool:
    faults: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        for fault in one.sample["faults"]:
            faults[fault].append(not one.accepted)
        if one.accepted:
            print(f"  {one.sample['task']} [{one.schedule}] accepted with {one.sample['faults']}")
    print("| fault | responses | rejected |\n|---|---|---|")
    for fault, rejected in sorted(faults.items()):
        print(f"| {fault} | {len(rejected)} | {sum(rejected)} |")
    return goal("rejected", sum(not one.accepted for one in judged) / len(judged))


def report_admitted(rows: list[dict]) -> bool:
    for row in rows:
        if not row.get("admitted"):
            print(f"  {row.get('task')}: {row.get('reason') or row.get('error')}: {row.get('message', '')}")
    return goal("admitted", sum(bool(row.get("admitted")) for row in rows) / len(rows))


def why(one: Judged) -> str:
    if "error" in one.verdict:
        return one.verdict["error"]
    findings = [finding for layer in one.verdict["layers"] for finding in layer.get("findings", [])]
    rejecting = [finding["message"] for finding in findings if finding["severity"] == "reject"]
    return f"{one.verdict['reason']}: {rejecting[0] if rejecting else ''}"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"acceptance: {error}", file=sys.stderr)
        sys.exit(3)
