#!/usr/bin/env python3
"""Runs the recorded cases on the executor of this machine and compares: `compare.py [DIR] [--only TEXT] [--verbose]`.

DIR is what record.py wrote. Exit status 1 when a case is outside its bound, fails here, or had other inputs there."""

import argparse
import json
import sys
import time
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent.parent / "harness"))


def start_executor():
    """Makes "cuda" a device of this process, whose kernels the executor runs."""
    import tritonrl_harness

    tritonrl_harness.install()


def load(folder):
    import numpy

    arrays = {}
    for file in sorted(folder.glob("*.npz")):
        with numpy.load(file) as archive:
            arrays.update({key: archive[key] for key in archive.files})
    return json.loads((folder / "environment.json").read_text()), arrays


def judge(key, case, recorded, arrays):
    """(status, text, outcomes) with status one of ok, outside, failed, inputs."""
    from bounds import compare
    from case import run

    try:
        result = run(case)
    except Exception as error:  # noqa: BLE001
        return "failed", f"{type(error).__name__}: {str(error).strip()[:300]}", []
    if result.inputs_digest != recorded["inputs"]:
        return "inputs", "the inputs are not those of the recording", []
    outcomes = []
    for number, (array, dtype) in enumerate(result.outputs):
        outcomes.append(compare(array, arrays[f"{key}/{number}"], dtype, case.bound, result.first_input))
    bad = [f"output {number}: {outcome.example}" for number, outcome in enumerate(outcomes) if not outcome.ok]
    return ("outside" if bad else "ok"), "; ".join(bad), outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=HERE / "h200", help="default: the recording of an H200 beside this")
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--verbose", action="store_true", help="a line for each case that is not identical")
    options = parser.parse_args()
    info, arrays = load(options.folder)
    start_executor()

    from bounds import units
    from cases import all_cases

    begun = time.monotonic()
    rows = defaultdict(lambda: {"cases": 0, "identical": 0, "within": 0, "outside": 0, "failed": 0, "worst": (0.0, "")})
    missing = []
    problems = []
    for key, case in all_cases().items():
        if options.only not in key:
            continue
        recorded = info["cases"].get(key)
        if recorded is None or recorded["status"] != "ok":
            missing.append((key, (recorded or {}).get("error", "not recorded")))
            continue
        status, text, outcomes = judge(key, case, recorded, arrays)
        row = rows[case.bound.name, key.split("/")[0]]
        row["cases"] += 1
        identical = outcomes and all(outcome.identical == outcome.elements for outcome in outcomes)
        worst = max((outcome.worst for outcome in outcomes), default=0.0)
        if status == "ok":
            row["identical" if identical else "within"] += 1
            row["worst"] = max(row["worst"], (worst, key))
            if options.verbose and not identical:
                same = sum(outcome.identical for outcome in outcomes)
                total = sum(outcome.elements for outcome in outcomes)
                shown = next((outcome.example for outcome in outcomes if outcome.example), "")
                print(f"  {key}: {same} of {total} identical, worst {worst:.3g} {units(case.bound)} {shown}")
        else:
            row["outside" if status == "outside" else "failed"] += 1
            problems.append((status, key, text, case.bound))

    environment = info["environment"]
    print(f"device: {environment.get('device')}, Triton {environment.get('triton')}, torch {environment.get('torch')}")
    header = ("class", "group", "cases", "identical", "within", "outside", "failed", "worst of those within")
    print("{:9} {:11} {:>6} {:>10} {:>7} {:>8} {:>7}  {}".format(*header))
    for (name, group), row in sorted(rows.items()):
        worst, key = row["worst"]
        unit = "x bound" if name == "close" else "ulp"
        shown = f"{worst:.3g} {unit} in {key}" if worst else ""
        print(f"{name:9} {group:11} {row['cases']:6} {row['identical']:10} {row['within']:7} {row['outside']:8} {row['failed']:7}  {shown}")
    for status, key, text, bound in problems:
        print(f"{status.upper()} {key} [{bound.name}: {bound.reason}]\n    {text}")
    for key, error in missing:
        print(f"NOT RECORDED {key}: {error.splitlines()[0][:160]}")
    count = sum(row["cases"] for row in rows.values())
    print(f"{count} cases compared, {len(problems)} problems, {len(missing)} not recorded, {time.monotonic() - begun:.1f} s")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
