#!/usr/bin/env python3
"""How far the same call's time differs from process to process on a GPU, by what it is launched with. For whoever wants measured
speedups to repeat: medians within a process repeat to a percent, and this is what is left.

    python bench/gpu/process_spread.py [--processes 6]

Each process times two calls of eager torch, one of five short kernels and one of eight, by events behind a flush that is long enough for
all launches, plain and as a CUDA graph. Prints the medians, and how far the farthest lies from their median.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

RUNS, WARM_UPS = 30, 5
SETTINGS = {
    "plain": {},
    "one connection": {"CUDA_DEVICE_MAX_CONNECTIONS": "1"},
    "modules loaded at once": {"CUDA_MODULE_LOADING": "EAGER"},
}


def measure():
    import torch

    torch.manual_seed(0)
    x, y = torch.randn(128, 4096, device="cuda"), torch.randn(128, 4096, device="cuda")
    rows = torch.randn(4096, 128, device="cuda", dtype=torch.float16)
    first, second = (torch.nn.Linear(a, b, device="cuda", dtype=torch.float16) for a, b in ((128, 256), (256, 128)))
    flushed = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")

    def loss():
        return torch.sum(torch.relu(1.0 - x * y) ** 2)

    def block():
        z = torch.sigmoid(second(torch.nn.functional.mish(first(rows)))) + rows
        return z / (1.0 + torch.amax(torch.abs(z), dim=1, keepdim=True))

    def graph_of(work):
        work()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return graph.replay

    def us_of(work):
        times = []
        for _ in range(WARM_UPS + RUNS):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            for _ in range(12):
                flushed.zero_()
            begin.record()
            work()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) * 1e3)
        return statistics.median(times[WARM_UPS:])

    with torch.no_grad():
        found = {"loss": us_of(loss), "block": us_of(block)}
        found |= {"loss, graph": us_of(graph_of(loss)), "block, graph": us_of(graph_of(block))}
    print(json.dumps(found))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--processes", type=int, default=6)
    options.add_argument("--measure", action="store_true", help="as one of the processes")
    given = options.parse_args()
    if given.measure:
        return measure()
    for name, environment in SETTINGS.items():
        runs = []
        for _ in range(given.processes):
            command = [sys.executable, __file__, "--measure"]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment})
            runs.append(json.loads(done.stdout))
        for call in runs[0]:
            times = [run[call] for run in runs]
            middle = statistics.median(times)
            print(f"{name:24} {call:13} {', '.join(f'{t:.2f}' for t in times)} us: farthest {max(abs(t / middle - 1) for t in times):.1%}", flush=True)


if __name__ == "__main__":
    main()
