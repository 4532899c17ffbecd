#!/usr/bin/env python3
"""What a process pays for a context on a GPU, step by step, alone and beside others: what a candidate's own process costs a verifier.

    python bench/gpu/context_cost.py [--alone 5] [--together 24] [--at-once 12]

Children are forked from a process that has imported torch and not touched CUDA, as the verifier's are. A row is a setting: milliseconds
a step (median), and processes a second from the first fork to the last end.
"""

import argparse
import ctypes
import json
import os
import statistics
import time

import torch

STEPS = ("cuInit", "context", "torch", "end")
SETTINGS = {
    "as it is": {},
    "one connection": {"CUDA_DEVICE_MAX_CONNECTIONS": "1"},
    "one connection, short queues": {"CUDA_DEVICE_MAX_CONNECTIONS": "1", "CUDA_SCALE_LAUNCH_QUEUES": "0.25x"},
}


def child(report, with_torch, orderly):
    clock = [time.monotonic()]
    driver = ctypes.CDLL("libcuda.so.1")
    context = ctypes.c_void_p()

    def call(name, *arguments):
        if status := getattr(driver, name)(*arguments):
            os.write(report, json.dumps({"failed": f"{name}: error {status}"}).encode())
            os._exit(1)

    call("cuInit", 0)
    clock.append(time.monotonic())
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    clock.append(time.monotonic())
    if with_torch:
        torch.ones(32, device="cuda").sum().item()
    clock.append(time.monotonic())
    os.write(report, json.dumps(clock).encode())
    if orderly:
        call("cuDevicePrimaryCtxReset_v2", 0)
    os._exit(0)


def run(count, at_once, settings, with_torch, orderly):
    """By step, what each child took in ms; and how many a second."""
    os.environ.update(settings)
    alive, found, processor_ms = {}, [], []
    began = time.monotonic()
    started = 0
    while started < count or alive:
        while started < count and len(alive) < at_once:
            ours, theirs = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(ours)
                child(theirs, with_torch, orderly)
            os.close(theirs)
            alive[pid] = ours
            started += 1
        pid, _, usage = os.wait4(-1, 0)
        ended = time.monotonic()
        clock = json.loads(os.read(alive[pid], 1 << 16))
        os.close(alive.pop(pid))
        if isinstance(clock, dict):
            raise SystemExit(clock["failed"])
        clock.append(ended)
        found.append([1e3 * (after - before) for before, after in zip(clock, clock[1:])])
        processor_ms.append(1e3 * (usage.ru_utime + usage.ru_stime))
    per_s = count / (time.monotonic() - began)
    for name in settings:
        del os.environ[name]
    steps = ", ".join(f"{name} {statistics.median(column):.0f}" for name, column in zip(STEPS, zip(*found)))
    return f"{steps}; processor {statistics.median(processor_ms):.0f} ms; {per_s:.2f} a second"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--alone", type=int, default=5, help="processes one after the other")
    options.add_argument("--together", type=int, default=24, help="processes, --at-once of them at a time")
    options.add_argument("--at-once", type=int, default=12)
    given = options.parse_args()
    # Something holds the GPU all the while, as the verifier does.
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(theirs)
        torch.ones(32, device="cuda").sum().item()
        os.read(ours, 1)
        os._exit(0)
    time.sleep(3)
    for name, settings in SETTINGS.items():
        for with_torch in (False, True):
            for count, at_once in ((given.alone, 1), (given.together, given.at_once)):
                what = f"{name}, {'torch' if with_torch else 'driver alone'}, {at_once} at once"
                print(f"{what}: {run(count, at_once, settings, with_torch, False)}", flush=True)
    print(f"as it is, driver alone, {given.at_once} at once, contexts given back: {run(given.together, given.at_once, {}, False, True)}", flush=True)
    os.close(theirs)


if __name__ == "__main__":
    main()
