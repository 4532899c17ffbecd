#!/usr/bin/env python3
"""The same candidates verified again and again, without the cache and with the same secret: verdicts must be identical.

Candidates of every kind from tests/cases, at depth full. All fields count, but for the seconds that layers took.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from verdicts import DEFAULT_BINARY, REPOSITORY, BenchError, require_binary  # noqa: E402

sys.path.insert(0, str(REPOSITORY / "tests/verify"))
from test_cases import ALL, Case  # noqa: E402

Json = dict[str, Any]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--candidates", type=int, default=200)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seed", type=int, default=7)
    given = options.parse_args()
    require_binary(given.binary)
    cases = [case for case in ALL if (case.policy, case.entry, case.static) == ("strict", "ModelNew", "on")]
    drawn = sorted(random.Random(given.seed).sample(cases, given.candidates), key=lambda case: case.task)
    different = 0
    with tempfile.TemporaryDirectory(prefix="tritonrl-repeat-") as folder:
        first = verify(given.binary, Path(folder), drawn)
        print(f"{len(drawn)} candidates, {sum(v['accepted'] for v in first)} accepted", flush=True)
        for n in range(1, given.rounds):
            again = verify(given.binary, Path(folder), drawn)
            places = [(case, place) for case, a, b in zip(drawn, first, again) for place in difference(a, b)]
            different += len(places)
            print(f"round {n + 1}: {len(places)} differences", flush=True)
            for case, place in places[:20]:
                print(f"  {case.name}: {place}")
    print(f"  goal: identical verdicts over {given.rounds} rounds: {different} differences, {'met' if not different else 'MISSED'}")
    return 1 if different else 0


def verify(binary: Path, folder: Path, cases: list[Case]) -> list[Json]:
    samples = folder / "samples.jsonl"
    samples.write_text("".join(json.dumps(case.row(n)) + "\n" for n, case in enumerate(cases)))
    command = [str(binary), "verify", "--samples", str(samples), "--device", "cpu", "--jsonl", "--cache", "none"]
    environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    verdicts = [json.loads(line) for line in ran.stdout.splitlines()]
    failed = [verdict["error"] for verdict in verdicts if "error" in verdict]
    if len(verdicts) != len(cases) or failed:
        raise BenchError(f"verify ended with {ran.returncode}: {ran.stderr[-500:]} {failed[:3]}")
    for verdict in verdicts:
        for layer in verdict["layers"]:
            layer.pop("seconds")
    return verdicts


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
