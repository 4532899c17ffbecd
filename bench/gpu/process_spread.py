#!/usr/bin/env python3
"""Where the same call's time differs from process to process on a GPU. For whoever wants measured speedups to repeat: medians
within a process repeat to a percent, and this is what is left.

    python bench/gpu/process_spread.py [--processes 10] [--connections 1] [--beside 8]

Each process times three calls of eager torch that the host is ahead of. Rows, in us, a number for each process:
- flushed: right after the cache was flushed;
- code: the same, but another call of the same kernels, on other tensors, lies between: their code is in the cache, the data is not;
- warm: nothing is flushed;
- kernels: what the call's kernels took by the profiler's records, flushed; their number times `gap` is most of the rest;
- gap: from one short kernel to the next that waits for it.
It is alone on the GPU, or beside others that start, get a context and end, again and again.
"""

import argparse
import multiprocessing
import os
import statistics

import torch  # before the forks: each process then starts in a second

RUNS, WARM_UPS, PROFILED, CHAIN = 30, 4, 8, 16
FLUSH_US = 30  # what one write of the flush takes at least, and no kernel of the calls
WAYS = ("flushed", "code", "warm")


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


class Clock:
    def __init__(self):
        self._flushed = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        self._idle = torch.zeros(1, device="cuda")

    def flush(self):
        for _ in range(8):
            self._flushed.zero_()

    def lead(self):
        """Nothing that flushes, and time for the host to get ahead."""
        torch.cuda._sleep(1_000_000)

    def time(self, before, work):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before()
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1e3

    def median(self, before, work):
        return statistics.median([self.time(before, work) for _ in range(WARM_UPS + RUNS)][WARM_UPS:])

    def gap(self):
        def chain():
            for _ in range(CHAIN):
                self._idle.add_(1)

        return self.median(self.lead, chain) / CHAIN


def in_kernels(clock, work):
    """Median over calls of the sum of what their kernels took, and the number of those."""
    activities = [torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU]
    sums = []
    for _ in range(PROFILED):
        with torch.profiler.profile(activities=activities) as profile:
            clock.flush()
            torch.cuda.synchronize()
            work()
            torch.cuda.synchronize()
        took = [event.time_range.elapsed_us() for event in profile.events() if event.device_type == torch.autograd.DeviceType.CUDA]
        own = [us for us in took if us < FLUSH_US]
        sums.append((sum(own), len(own)))
    return statistics.median(s for s, _ in sums), sums[-1][1]


def measure(result, connections):
    if connections:
        os.environ["CUDA_DEVICE_MAX_CONNECTIONS"] = str(connections)
    with torch.no_grad():
        sets, works = calls()
        clock = Clock()
        found = {("", "gap"): clock.gap()}
        for name, work in works.items():
            def timed(work=work):
                return work(*sets[0])

            def other_first(work=work):
                clock.flush()
                work(*sets[1])

            for way, before in zip(WAYS, (clock.flush, other_first, clock.lead)):
                found[name, way] = clock.median(before, timed)
        for name, work in works.items():
            found[name, "kernels"], found[name, "count"] = in_kernels(clock, lambda work=work: work(*sets[0]))
        found["", "gap again"] = clock.gap()
        result.put(found)


def begin_again_and_again(fork):
    """Processes that get a context, use it once and end, until this one is killed."""
    while True:
        process = fork.Process(target=lambda: torch.ones(32, device="cuda").sum().item())
        process.start()
        process.join()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--processes", type=int, default=10)
    options.add_argument("--connections", type=int, default=0, help="CUDA_DEVICE_MAX_CONNECTIONS; 0: as it is")
    options.add_argument("--beside", type=int, default=0, help="how many others start and end meanwhile")
    given = options.parse_args()
    fork = multiprocessing.get_context("fork")
    others = [fork.Process(target=begin_again_and_again, args=(fork,)) for _ in range(given.beside)]
    for other in others:
        other.start()
    runs = []
    for _ in range(given.processes):
        result = fork.SimpleQueue()
        process = fork.Process(target=measure, args=(result, given.connections))
        process.start()
        runs.append(result.get())
        process.join()
    for other in others:
        other.kill()
    for call, way in runs[0]:
        times = [run[call, way] for run in runs]
        middle = statistics.median(times)
        print(f"{call:10} {way:9} {', '.join(f'{t:.2f}' for t in times)}: farthest {max(abs(t / middle - 1) for t in times):.1%}", flush=True)


if __name__ == "__main__":
    main()
