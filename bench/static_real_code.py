#!/usr/bin/env python3
"""False positives: `tritonrl check --entry none` on the Triton files of two production wheels."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import wheels
from verdicts import DEFAULT_BINARY, BenchError, Verdict, check, require_binary

GOAL_PERCENT = 1.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--folder", type=Path, default=wheels.FOLDER, help="where wheels are kept")
    given = options.parse_args()

    met = True
    for wheel in wheels.fetch(given.folder):
        binary = require_binary(given.binary)
        name = f"{wheel.name} {wheel.version}"
        verdicts = check(binary, wheel.files, "--entry", "none")
        met &= _report(name, verdicts) < GOAL_PERCENT
        if wheel.generators:
            # They define no kernel, and import what they wrote: not what `check` is asked about.
            generators = check(binary, wheel.generators, "--entry", "none")
            _report(f"{name}, generators (@triton.jit only in strings)", generators, listing=False)
            _report(f"{name}, both", [*verdicts, *generators], listing=False)
    outcome = "met" if met else "MISSED"
    print(f"goal: under {GOAL_PERCENT:g} % rejected of each wheel's files with a kernel: {outcome}")
    return 0 if met else 1


def _report(name: str, verdicts: Sequence[Verdict], *, listing: bool = True) -> float:
    rejected = [verdict for verdict in verdicts if not verdict.accepted]
    percent = 100 * len(rejected) / max(1, len(verdicts))
    print(f"{name}: {len(verdicts)} files, {len(rejected)} rejected, {percent:.2f} %")
    for reason, count in Counter(verdict.reason for verdict in rejected).most_common():
        print(f"  {count:4} {reason}")
    for verdict in rejected if listing else ():
        place = Path(*verdict.file.parts[-4:])
        for rule, line, message in verdict.rejections:
            print(f"  {place}:{line}: {rule}: {message}")
    return percent


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"static_real_code: {error}", file=sys.stderr)
        sys.exit(3)
