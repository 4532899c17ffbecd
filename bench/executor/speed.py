#!/usr/bin/env python3
"""The executor against Triton's interpreter: the same kernels, inputs and sizes in the same run, outputs compared first.

`speed.py [--seconds S]` prints a Markdown table. Each side is a process of its own on one core; the executor also runs
without its sanitizer, and on two cores. Exit status 1 when outputs differ or a goal is missed."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
# Both round every operation, but sum in different orders.
RELATIVE_TOLERANCE = 2e-3
GOALS = {"median ratio": 50, "worst ratio": 10, "elementwise GB/s": 1, "fp32 dot GFLOP/s": 2, "two cores": 1.7}


def run(side, folder, label, seconds, cores, options=None):
    environment = dict(os.environ, TRITON_INTERPRET="1" if side == "interpreter" else "0")
    if options:
        environment["TRITONRL_DEVICE_OPTIONS"] = json.dumps(options)
    command = ["taskset", "-c", cores, sys.executable, str(HERE / "run_kernels.py"), side, f"{folder}/{label}.npz", str(seconds)]
    output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(output.splitlines()[-1]), numpy.load(f"{folder}/{label}.npz")


def differences(ours, theirs):
    for key in theirs.files:
        scale = numpy.abs(theirs[key]).max()
        worst = numpy.abs(ours[key] - theirs[key]).max()
        if not worst <= RELATIVE_TOLERANCE * scale:
            yield f"{key}: differs by {worst:g} where the largest value is {scale:g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5, help="to spend on each kernel of the executor")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours, our_outputs = run("executor", folder, "one", options.seconds, "0")
        plain, _ = run("executor", folder, "plain", options.seconds, "0", {"sanitize": False})
        two, two_outputs = run("executor", folder, "two", options.seconds, "0,1", {"threads": 2})
        theirs, their_outputs = run("interpreter", folder, "interpreter", 0, "0")
        wrong = list(differences(our_outputs, their_outputs))
        wrong += [f"{key}: two threads give other bits" for key in two_outputs.files
                  if not numpy.array_equal(two_outputs[key], our_outputs[key])]
    if wrong:
        sys.exit("outputs differ:\n" + "\n".join(wrong))
    print("| kernel | interpreter ms | executor ms | ratio | sanitizer's share | two cores | GB/s | GFLOP/s |")
    print("|---|---|---|---|---|---|---|---|")
    for name, mine in ours.items():
        seconds = mine["seconds"]
        rate = f"{mine['flops'] / seconds / 1e9:.1f}" if mine["flops"] else ""
        print(f"| {name} | {theirs[name]['seconds'] * 1e3:.1f} | {seconds * 1e3:.3f} | "
              f"{theirs[name]['seconds'] / seconds:.0f} | {1 - plain[name]['seconds'] / seconds:.0%} | "
              f"{seconds / two[name]['seconds']:.2f} | {mine['bytes'] / seconds / 1e9:.2f} | {rate} |")
    ratios = [theirs[name]["seconds"] / mine["seconds"] for name, mine in ours.items()]
    found = {
        "median ratio": statistics.median(ratios),
        "worst ratio": min(ratios),
        "elementwise GB/s": min(m["bytes"] / m["seconds"] / 1e9 for n, m in ours.items() if n.startswith(("add", "gelu"))),
        "fp32 dot GFLOP/s": next(m["flops"] / m["seconds"] / 1e9 for n, m in ours.items() if "float32" in n),
        "two cores": statistics.median(mine["seconds"] / two[name]["seconds"] for name, mine in ours.items()),
    }
    print("\n| goal | at least | found |\n|---|---|---|")
    for name, goal in GOALS.items():
        print(f"| {name} | {goal} | {found[name]:.2f} |")
    return 0 if all(found[name] >= goal for name, goal in GOALS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
