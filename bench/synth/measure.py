#!/usr/bin/env python3
"""Measured speed of the embedded teacher's responses on a GPU, with stock torch and Triton and nothing of ours.

Reads the folder of `tritonrl data make --fault-free --samples 0`. Kernels are compiled and compared with the reference
by many processes, then timed by one alone: medians by CUDA events, L2 flushed. Writes one JSON object a response, and
measures what is missing in --out. plan_to_learn.py --measured FILE makes its table of them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

FLUSH_BYTES = 256 << 20
REPEATS = 9


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--workers", type=int, default=os.cpu_count())
    options.add_argument("--compile-seconds", type=float, default=600, help="then what is compiled is timed")
    options.add_argument("--time-seconds", type=float, default=600)
    arguments = options.parse_args()
    tasks = {row["id"]: row for row in map(json.loads, (arguments.folder / "tasks.jsonl").open())}
    known = [json.loads(line) for line in arguments.out.open()] if arguments.out.exists() else []
    done = {(row["task"], row["sample"]) for row in known}
    samples = [json.loads(line) for line in (arguments.folder / "samples.jsonl").open()]
    samples = [sample for sample in samples if (sample["task"], sample["sample"]) not in done]
    of_task = defaultdict(list)
    for sample in samples:
        of_task[sample["task"]].append(sample)
    groups = [(tasks[task], own) for task, own in of_task.items()]
    stop = time.time() + arguments.compile_seconds
    results: dict[tuple[str, int], str] = {}
    context = multiprocessing.get_context("spawn")
    with context.Pool(arguments.workers) as pool:
        jobs = [(task, part, stop) for task, own in groups for part in halves(own)]
        for found in pool.imap_unordered(check_group, jobs):
            results.update(found)
    right = sum(verdict == "right" for verdict in results.values())
    print(f"checked {len(results)} responses, {right} right", flush=True)
    stop = time.time() + arguments.time_seconds
    with arguments.out.open("a") as out:
        for task, own in groups:
            for row in time_group(task, own, results, stop):
                out.write(json.dumps(row) + "\n")
                out.flush()
    return 0


def halves(items: list) -> list[list]:
    return [items[::2], items[1::2]]


def module_of(source: str, name: str):
    """A module from text; Triton needs its file."""
    import importlib.util

    path = Path(tempfile.mkdtemp()) / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code_of(response: str) -> str:
    return re.findall(r"```python\n(.*?)```", response, re.S)[-1]


def prepare(task: dict):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = task.get("precision") != "ieee"
    reference = module_of(task["source"], "reference")
    torch.manual_seed(1)
    inputs = [x.cuda() if torch.is_tensor(x) else x for x in reference.get_inputs()]
    torch.manual_seed(2)
    model = reference.Model(*reference.get_init_inputs()).cuda().eval()
    return reference, inputs, model


def candidate_of(reference, sample: dict):
    import torch

    torch.manual_seed(2)
    return module_of(code_of(sample["response"]), "candidate").ModelNew(*reference.get_init_inputs()).cuda().eval()


def check_group(job) -> dict[tuple[str, int], str]:
    import torch

    task, samples, stop = job
    found = {}
    try:
        with torch.no_grad():
            reference, inputs, model = prepare(task)
            expected = model(*inputs)
            for sample in samples:
                if time.time() > stop:
                    break
                key = (sample["task"], sample["sample"])
                try:
                    got = candidate_of(reference, sample)(*inputs)
                    found[key] = "right" if close(got, expected) else "wrong"
                except Exception as error:  # noqa: BLE001
                    found[key] = f"{type(error).__name__}: {error}"[:300]
    except Exception as error:  # noqa: BLE001
        print(f"{task['id']}: {error}"[:300], file=sys.stderr)
    return found


def close(got, expected) -> bool:
    import torch

    if got.shape != expected.shape or got.dtype != expected.dtype:
        return False
    if not got.is_floating_point():
        return bool((got == expected).float().mean() > 0.999)
    tolerance = 2e-2 if expected.dtype != torch.float32 else 5e-3
    scale = expected.float().abs().mean().item() + 1e-6
    return bool(((got.float() - expected.float()).abs() <= tolerance * (expected.float().abs() + 10 * scale)).all())


def time_group(task: dict, samples: list[dict], results: dict, stop: float):
    import torch

    if time.time() > stop:
        return
    with torch.no_grad():
        try:
            reference, inputs, model = prepare(task)
            reference_us = median_us(lambda: model(*inputs))
        except Exception as error:  # noqa: BLE001
            print(f"{task['id']}: {error}"[:300], file=sys.stderr)
            return
        for sample in samples:
            verdict = results.get((sample["task"], sample["sample"]))
            if verdict is None or time.time() > stop:
                continue
            row = {name: sample[name] for name in ("task", "sample", "family", "level", "schedule")}
            row["verdict"] = verdict
            if verdict == "right":
                candidate = candidate_of(reference, sample)
                row |= {"reference_us": reference_us, "candidate_us": median_us(lambda: candidate(*inputs))}
            yield row


def median_us(call) -> float:
    import torch

    call()
    torch.cuda.synchronize()
    flush = torch.empty(FLUSH_BYTES, dtype=torch.int8, device="cuda")
    times = []
    for _ in range(REPEATS):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.zero_()
        torch.cuda._sleep(1_000_000)  # the queue stays full while the host launches
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(1000 * begin.elapsed_time(end))
    return sorted(times)[len(times) // 2]


if __name__ == "__main__":
    sys.exit(main())
