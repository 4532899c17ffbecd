"""The cases of tests/cases on a GPU: which get another verdict than their head says.

    python bench/gpu/cases.py [--kinds honest,wrong] [--jobs N] [--limit N] [--device cuda] [--keep FOLDER]

A run that was cut off goes on with what --keep holds.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "verify"))
from test_cases import ALL, KINDS, read_head  # noqa: E402


def judge(options, group, cases, folder):
    """Verdicts of cases that share their options, in one run of the program."""
    samples = folder / "samples.jsonl"
    samples.write_text("".join(json.dumps(case.row(n)) + "\n" for n, case in enumerate(cases)))
    command = [options.binary, "verify", "--samples", samples, "--device", options.device, "--jsonl"]
    command += ["--cache", options.keep / "cache" if options.keep else "none"]
    command += ["--jobs", str(options.jobs), *group]
    environment = {**os.environ, "TRITONRL_SECRET": str(options.keep / "secret")} if options.keep else None
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    if len(lines) != len(cases):
        print(f"  {len(lines)} of {len(cases)} verdicts; exit status {result.returncode}; standard error ends:")
        print("\n".join(result.stderr.splitlines()[-15:]))
    return list(zip(cases, lines))


def differs(case, verdict):
    """What is wrong with a verdict, or ""."""
    if "error" in verdict:
        return f"not judged: {verdict['error'][:600]}"
    expected = read_head(case.path).get(verdict["device"], case.verify)
    found = [(f["rule"], f["message"][:300]) for layer in verdict["layers"] for f in layer["findings"] if f["severity"] == "reject"]
    if expected == "accept":
        return "" if verdict["accepted"] else f"rejected: {found}"
    rules = [rule.strip() for rule in expected.removeprefix("reject ").split("|")]
    if verdict["accepted"]:
        return f"ACCEPTED, should be rejected by {rules}"
    return "" if verdict["reason"] in rules else f"reason {verdict['reason']}, should be {rules}: {found}"


def report(kind, judged):
    """Prints what stands out among the cases of a kind; how many got another verdict."""
    bad = [(case.path.stem, what) for case, verdict in judged if (what := differs(case, verdict))]
    print(f"{kind}: {len(judged)} judged, {len(bad)} differ")
    for name, what in bad:
        print(f"  {name}: {what}")
    speeds = [v["speedup"] for _, v in judged if v.get("speedup")]
    if speeds:
        spread = sorted((s["high"] - s["low"]) / s["value"] for s in speeds)
        print(f"  speed: {len(speeds)} {speeds[0]['kind']}, interval's width median {spread[len(spread) // 2]:.1%}, worst {spread[-1]:.1%}")
    return len(bad)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, default=ROOT / "build/bin/tritonrl")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    groups, wanted = collections.defaultdict(list), 0
    for kind in options.kinds.split(","):
        cases = [case for case in ALL if case.path.parent.name == kind]
        for case in cases[:: max(1, len(cases) // options.limit)] if options.limit else cases:
            groups[case.options].append(case)
            wanted += 1
    began, judged = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        for group, cases in groups.items():
            judged += judge(options, group, sorted(cases, key=lambda case: case.task), Path(folder))
            print(f"{len(judged)} of {wanted} after {time.monotonic() - began:.0f} s", flush=True)
    seconds = time.monotonic() - began
    of_kind = collections.defaultdict(list)
    for case, verdict in judged:
        of_kind[case.path.parent.name].append((case, verdict))
    wrong = wanted - len(judged) + sum(report(kind, own) for kind, own in of_kind.items())
    print(f"{len(judged)} of {wanted} judged in {seconds:.1f} s, {wrong} not as expected")
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        for kind, own in of_kind.items():
            (options.keep / f"{kind}.jsonl").write_text("".join(json.dumps({"case": case.path.stem, **v}) + "\n" for case, v in own))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
