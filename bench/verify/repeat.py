#!/usr/bin/env python3
"""The same candidates verified again and again, each round with a cache of its own and all with the same secret: verdicts
must be identical.

Candidates of every kind from tests/cases and fault-free responses of the embedded teacher's. On the CPU device all fields
count, but for the seconds that layers took. On a GPU, times are measured: what is decided must be the same, and the speedup of a
kernel over 20 us must stay within 5 % of its median. A run that was cut off goes on with what --keep holds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "synth"))
from teacher_run import make  # noqa: E402
from verdicts import DEFAULT_BINARY, REPOSITORY, BenchError, require_binary  # noqa: E402

Json = dict[str, Any]
_LEAST_US = 20.0
_MOST_DEVIATION = 0.05


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    options.add_argument("--candidates", type=int, default=200)
    options.add_argument("--teacher", type=int, default=40, help="how many of the candidates are the teacher's")
    options.add_argument("--kinds", default="honest,wrong,cheating,hostile", help="of cases that the others are drawn from")
    options.add_argument("--keep", type=Path, help="a folder for the rounds' verdicts, to go on from")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--jobs", type=int)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--depth", default="full", choices=("full", "train"))
    given = options.parse_args()
    require_binary(given.binary)
    rounds: list[list[Json]] = []
    different = 0
    with tempfile.TemporaryDirectory(prefix="tritonrl-repeat-") as temporary:
        folder = given.keep or Path(temporary)
        rows = rows_of(given, folder)
        for n in range(given.rounds):
            rounds.append(verify(given, folder, rows, n))
            if n == 0:
                print(f"{len(rows)} candidates, {sum(v['accepted'] for v in rounds[0])} accepted", flush=True)
                continue
            compared = zip(rows, rounds[0], rounds[n])
            places = [(row, place) for row, a, b in compared for place in difference(decided(given, a), decided(given, b))]
            different += len(places)
            print(f"round {n + 1}: {len(places)} differences", flush=True)
            for row, place in places[:20]:
                print(f"  {row['task']} {row['sample']}: {place}")
    print(f"  goal: identical verdicts over {given.rounds} rounds: {different} differences, {'met' if not different else 'MISSED'}")
    apart = report_speeds(rounds) if given.device == "cuda" else 0
    return 1 if different or apart else 0


def rows_of(given: argparse.Namespace, folder: Path) -> list[Json]:
    sys.path.insert(0, str(REPOSITORY / "tests/verify"))
    from test_cases import ALL

    kinds = given.kinds.split(",")
    cases = [case for case in ALL if (case.policy, case.entry, case.static) == ("strict", "ModelNew", "on") and case.path.parent.name in kinds]
    drawn = sorted(random.Random(given.seed).sample(cases, given.candidates - given.teacher), key=lambda case: case.task)
    rows = [case.row(n) for n, case in enumerate(drawn)]
    what = ["--tasks", str(given.teacher), "--samples", "1", "--seed", str(given.seed), "--fault-free"]
    teacher = make(given.binary, folder / "teacher", *what) if given.teacher else []
    return rows + [{**row, "task": f"{folder}/teacher/tasks.jsonl#{row['task']}"} for row in teacher]


def verify(given: argparse.Namespace, folder: Path, rows: list[Json], n: int) -> list[Json]:
    samples = folder / "samples.jsonl"
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [given.binary, "verify", "--samples", samples, "--device", given.device, "--jsonl", "--cache", folder / f"round-{n + 1}"]
    command += ["--depth", given.depth] + (["--jobs", str(given.jobs)] if given.jobs else [])
    environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    verdicts = [json.loads(line) for line in ran.stdout.splitlines()]
    failed = [verdict["error"] for verdict in verdicts if "error" in verdict]
    if len(verdicts) != len(rows) or failed:
        raise BenchError(f"verify ended with {ran.returncode}: {ran.stderr[-500:]} {failed[:3]}")
    return verdicts


def decided(given: argparse.Namespace, verdict: Json) -> Json:
    """What must not change from one run to the next."""
    if given.device == "cuda":
        kept = {key: verdict[key] for key in ("accepted", "stage", "reason", "valid", "compiled", "correct", "general")}
        return kept | {"rules": [[finding["rule"] for finding in layer["findings"]] for layer in verdict["layers"]]}
    layers = [{key: value for key, value in layer.items() if key != "seconds"} for layer in verdict["layers"]]
    return {**verdict, "layers": layers}


def report_speeds(rounds: list[list[Json]]) -> int:
    """Prints how far measured speedups are from their medians; how many kernels are too far."""
    worst: list[tuple[float, float, str, str]] = []
    for verdicts in zip(*rounds):
        speeds = [verdict["speedup"] for verdict in verdicts if verdict.get("speedup")]
        if len(speeds) < len(rounds) or statistics.median(s["candidate_us"] for s in speeds) < _LEAST_US:
            continue
        middle = statistics.median(s["value"] for s in speeds)
        deviation = max(abs(s["value"] / middle - 1) for s in speeds)
        pairs = ", ".join(f"{s['reference_us']:.1f}/{s['candidate_us']:.1f}" for s in speeds)
        worst.append((deviation, statistics.median(s["candidate_us"] for s in speeds), verdicts[0]["task"], pairs))
    worst.sort(reverse=True)
    apart = sum(deviation > _MOST_DEVIATION for deviation, *_ in worst)
    if worst:
        print(f"{len(worst)} kernels over {_LEAST_US:.0f} us: farthest from its median {worst[0][0]:.1%}, half within {statistics.median(d for d, *_ in worst):.2%}")
        for deviation, us, task, pairs in worst[:10]:
            print(f"  {deviation:7.2%}  {us:9.1f} us  {task.rpartition('#')[2]}: {pairs}")
    print(f"  goal: measured speedups within 5 % for kernels over 20 us: {apart} of {len(worst)} are not, {'met' if worst and not apart else 'MISSED'}")
    return apart


def difference(ours: Any, theirs: Any, place: str = "") -> list[str]:
    """Where two values differ, and how."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return [found for key in ours for found in difference(ours[key], theirs[key], f"{place}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [found for n, (a, b) in enumerate(zip(ours, theirs)) for found in difference(a, b, f"{place}[{n}]")]
    return [] if ours == theirs else [f"{place}: {str(ours)[:200]} and {str(theirs)[:200]}"]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"repeat: {error}", file=sys.stderr)
        sys.exit(3)
