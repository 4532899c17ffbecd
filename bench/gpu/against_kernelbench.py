#!/usr/bin/env python3
"""Kernels a second of `tritonrl verify` on a GPU, beside KernelBench's own evaluation of the same candidates.

    python bench/gpu/against_kernelbench.py --kernelbench CHECKOUT [--jobs 12] [--ours 96] [--theirs 6]

KernelBench evaluates as its eval_from_generations.py does: a fresh process a candidate, five trials of correctness and
a hundred timed runs. It is given one candidate of each task, `tritonrl` many, each made new by a comment of its own.
What both say of a candidate is compared first.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "verify"))
from throughput import CASES, MIX  # noqa: E402
from verdicts import DEFAULT_BINARY  # noqa: E402

GOAL_RATIO, GOAL_PER_S = 10.0, 5.0


def sources(task, kernel):
    return (CASES / f"tasks/{task}.py").read_text(), (CASES / f"honest/{kernel}.py").read_text()


def kernelbench_says(checkout, reference, candidate):
    """In a process of its own: correct or not, and microseconds."""
    sys.path.insert(0, str(Path(checkout) / "src"))
    from kernelbench.eval import eval_kernel_against_ref

    result = eval_kernel_against_ref(
        reference, candidate, num_correct_trials=5, num_perf_trials=100, measure_performance=True, backend="triton", device=0
    )
    return None if result is None else (result.correctness, result.runtime)


def evaluate_theirs(checkout, count):
    """By task: what KernelBench says, and how long it took to say so."""
    spawn = multiprocessing.get_context("spawn")
    found = {}
    for task, kernel in list(MIX.items())[:count]:
        began = time.perf_counter()
        with spawn.Pool(1) as pool:
            try:
                said = pool.apply_async(kernelbench_says, (checkout, *sources(task, kernel))).get(timeout=60)
            except Exception as error:  # whatever it stumbles over is its answer
                said = f"{type(error).__name__}: {error}"[:200]
        found[task] = said, time.perf_counter() - began
    return found


def evaluate_ours(binary, jobs, count):
    """By task: whether all its candidates were accepted, a speedup; and the seconds from the first verdict to the last."""
    tasks = list(MIX.items())
    rows = []
    for n in range(count):
        task, kernel = tasks[n % len(tasks)]
        rows.append({"task": str(CASES / f"tasks/{task}.py"), "sample": n, "code": sources(task, kernel)[1] + f"\n# candidate {n}\n"})
    with tempfile.TemporaryDirectory(prefix="tritonrl-bench-") as folder:
        samples = Path(folder) / "samples.jsonl"
        samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
        command = [str(binary), "verify", "--samples", str(samples), "--device", "cuda", "--jobs", str(jobs), "--cache", "none", "--jsonl"]
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "TRITONRL_SECRET": f"{folder}/secret"}) as program:
            first = program.stdout.readline()
            first_s = time.perf_counter() - began
            verdicts = [json.loads(line) for line in [first, *program.stdout.read().splitlines()] if line]
        total_s = time.perf_counter() - began
    by_task = {}
    for (task, _), verdict in zip([tasks[n % len(tasks)] for n in range(count)], verdicts):
        if "error" in verdict:
            by_task[task] = verdict["error"][:300]
        elif not isinstance(by_task.get(task), str):
            by_task[task] = "accepted" if verdict["accepted"] else f"rejected: {verdict['reason']}"
    layers = {}
    for verdict in verdicts:
        for layer in verdict.get("layers", []):
            layers.setdefault(layer["name"], []).append(layer["seconds"])
    return by_task, first_s, total_s, {name: sum(spent) / len(spent) for name, spent in layers.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kernelbench", help="a checkout of KernelBench")
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--jobs", type=int, default=12)
    options.add_argument("--ours", type=int, default=96)
    options.add_argument("--theirs", type=int, default=6)
    given = options.parse_args()
    ours, first_s, total_s, layers = evaluate_ours(given.binary, given.jobs, given.ours)
    per_s = given.ours / total_s
    print(f"tritonrl: {given.ours} candidates of {len(MIX)} tasks, {given.jobs} jobs: {total_s:.1f} s, the first after {first_s:.1f} s")
    print(f"  seconds a layer: {', '.join(f'{name} {mean:.3f}' for name, mean in layers.items())}")
    print(f"  {per_s:.2f} a second, start-up included; aim: {GOAL_PER_S:g}", flush=True)
    theirs = evaluate_theirs(given.kernelbench, given.theirs) if given.kernelbench else {}
    for task, verdict in ours.items():
        said, seconds = theirs.get(task, (None, 0))
        print(f"  {task}: {verdict}" + (f"; KernelBench: {said} in {seconds:.2f} s" if task in theirs else ""))
    if not theirs:
        return 0
    each_s = sum(seconds for _, seconds in theirs.values()) / len(theirs)
    print(f"KernelBench: {each_s:.2f} s a candidate, {1 / each_s:.2f} a second")
    print(f"goal: at least {GOAL_RATIO:g} times KernelBench: {per_s * each_s:.1f}, {'met' if per_s * each_s >= GOAL_RATIO else 'MISSED'}")
    agree = all(verdict == "accepted" for verdict in ours.values()) and all(isinstance(s, tuple) and s[0] for s, _ in theirs.values())
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
