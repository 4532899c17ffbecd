"""The cases of tests/cases on a GPU: which get another verdict than their `# verify:` line says, and how long each kind takes.

    python bench/gpu/cases.py [--kinds honest,wrong] [--jobs N] [--limit N] [--device cuda] [--keep FOLDER]
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"


def read_case(path):
    head = {}
    for line in path.read_text(errors="replace").splitlines():
        if not line.startswith("# ") or ": " not in line:
            break
        key, _, value = line[2:].partition(": ")
        head[key] = value.strip()
    if "cuda" in head:
        head["verify"] = head["cuda"]
    return head if "verify" in head and "task" in head else None


def judge(options, group, cases, folder):
    """Verdicts of cases that share their options, in one run of the program."""
    policy, entry, static = group
    samples = folder / "samples.jsonl"
    rows = [{"task": str(CASES / head["task"]), "sample": n, "code": path.read_text(errors="replace")} for n, (path, head) in enumerate(cases)]
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [ROOT / "build/bin/tritonrl", "verify", "--samples", samples, "--device", options.device, "--jsonl", "--cache", "none"]
    command += ["--policy", policy, "--entry", entry, "--jobs", str(options.jobs)] + (["--no-static"] if static == "off" else [])
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    if len(lines) != len(cases):
        print(f"  {len(lines)} of {len(cases)} verdicts; exit status {result.returncode}; standard error ends:")
        print("\n".join(result.stderr.splitlines()[-15:]))
    return list(zip(cases, lines))


def differs(head, verdict):
    """What is wrong with a verdict, or ""."""
    if "error" in verdict:
        return f"not judged: {verdict['error'][:600]}"
    found = [(f["rule"], f["message"][:300]) for layer in verdict["layers"] for f in layer["findings"] if f["severity"] == "reject"]
    if head["verify"] == "accept":
        return "" if verdict["accepted"] else f"rejected: {found}"
    rules = [rule.strip() for rule in head["verify"].removeprefix("reject ").split("|")]
    if verdict["accepted"]:
        return f"ACCEPTED, should be rejected by {rules}"
    return "" if verdict["reason"] in rules else f"reason {verdict['reason']}, should be {rules}: {found}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default="honest,wrong,cheating,hostile")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    wrong = 0
    for kind in options.kinds.split(","):
        found = [(path, head) for path in sorted((CASES / kind).glob("*.py")) if (head := read_case(path))]
        found = found[:: max(1, len(found) // options.limit)] if options.limit else found
        groups = collections.defaultdict(list)
        for path, head in found:
            groups[head.get("policy", "strict"), head.get("entry", "ModelNew"), head.get("static", "on")].append((path, head))
        began, judged = time.monotonic(), []
        with tempfile.TemporaryDirectory() as folder:
            for group, cases in groups.items():
                judged += judge(options, group, sorted(cases, key=lambda case: case[1]["task"]), Path(folder))
        seconds = time.monotonic() - began
        bad = [(path.stem, what) for (path, head), verdict in judged if (what := differs(head, verdict))]
        wrong += len(bad)
        print(f"{kind}: {len(judged)} judged, {len(bad)} differ, {seconds:.1f} s, {len(judged) / seconds:.2f} a second")
        for name, what in bad:
            print(f"  {name}: {what}")
        speeds = [v["speedup"] for _, v in judged if v.get("speedup")]
        if speeds:
            spread = sorted((s["high"] - s["low"]) / s["value"] for s in speeds)
            print(f"  speed: {len(speeds)} {speeds[0]['kind']}, interval's width median {spread[len(spread) // 2]:.1%}, worst {spread[-1]:.1%}")
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{kind}.jsonl").write_text("".join(json.dumps({"case": path.stem, **v}) + "\n" for (path, _), v in judged))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
