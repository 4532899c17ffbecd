#!/usr/bin/env python3
"""How far the same call's time differs from process to process on a GPU, and what of it is the code's being cold. For whoever wants
measured speedups to repeat: medians within a process repeat to a percent, and this is what is left.

    python bench/gpu/process_spread.py [--processes 10]

Each process times three calls of eager torch behind a flush that is long enough for all launches. Another process uses the GPU before
every timed call, as a candidate does before its reference's. Ways:
- cold: right after the other process;
- warmed: after the same call on other tensors, flushed after it like the rest;
- alone: no other process in between.
Prints medians by process, and how far the farthest lies from their median.
"""

import argparse
import multiprocessing
import statistics

import torch  # before the forks: each process then starts in a second

RUNS, WARM_UPS = 30, 4
WAYS = ("cold", "warmed", "alone")


def calls():
    torch.manual_seed(0)

    def sets():
        x, y = torch.randn(128, 4096, device="cuda"), torch.randn(128, 4096, device="cuda")
        rows = torch.randn(4096, 128, device="cuda", dtype=torch.float16)
        q, k, v = (torch.randn(8, 256, 64, device="cuda", dtype=torch.float16) for _ in range(3))
        return x, y, rows, q, k, v

    first, second = (torch.nn.Linear(a, b, device="cuda", dtype=torch.float16) for a, b in ((128, 256), (256, 128)))

    def loss(x, y, *_):
        return torch.sum(torch.relu(1.0 - x * y) ** 2)

    def block(x, y, rows, *_):
        z = torch.sigmoid(second(torch.nn.functional.mish(first(rows)))) + rows
        return z / (1.0 + torch.amax(torch.abs(z), dim=1, keepdim=True))

    def attention(x, y, rows, q, k, v):
        return torch.softmax(q @ k.transpose(1, 2) * 0.125, dim=-1) @ v

    return [sets(), sets()], {"loss": loss, "block": block, "attention": attention}


def serve(pipe):
    """The other process: a product whenever it is asked for one."""
    a = torch.randn(1024, 1024, device="cuda")
    while pipe.recv():
        a = (a @ a).softmax(-1)
        torch.cuda.synchronize()
        pipe.send(True)


def measure(pipe, result):
    with torch.no_grad():
        sets, works = calls()
        flushed = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        found = {}
        for name, work in works.items():
            times = {way: [] for way in WAYS}
            for n in range(WARM_UPS + RUNS):
                for way in WAYS:
                    if way != "alone":
                        pipe.send(True)
                        pipe.recv()
                    if way == "warmed":
                        work(*sets[1])
                    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                    for _ in range(8):
                        flushed.zero_()
                    begin.record()
                    work(*sets[0])
                    end.record()
                    torch.cuda.synchronize()
                    times[way].append(begin.elapsed_time(end) * 1e3)
            for way in WAYS:
                found[name, way] = statistics.median(times[way][WARM_UPS:])
        result.put(found)
    pipe.send(False)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--processes", type=int, default=10)
    given = options.parse_args()
    fork = multiprocessing.get_context("fork")
    runs = []
    for _ in range(given.processes):
        ours, theirs = fork.Pipe()
        result = fork.SimpleQueue()
        pair = [fork.Process(target=serve, args=(theirs,)), fork.Process(target=measure, args=(ours, result))]
        for process in pair:
            process.start()
        runs.append(result.get())
        for process in pair:
            process.join()
    for call, way in runs[0]:
        times = [run[call, way] for run in runs]
        middle = statistics.median(times)
        print(f"{call:10} {way:7} {', '.join(f'{t:.2f}' for t in times)} us: farthest {max(abs(t / middle - 1) for t in times):.1%}", flush=True)


if __name__ == "__main__":
    main()
