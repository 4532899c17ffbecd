"""Runs the kernels in this process and writes what they computed and how long they took: one side of speed.py.

`run_kernels.py executor|interpreter OUT.npz SECONDS`"""

import json
import sys
import time
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent


def timed(launch, seconds):
    """The best time of a launch; one at least after the first, which compiles."""
    launch()
    best = float("inf")
    end = time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        launch()
        now = time.perf_counter()
        best = min(best, now - start)
        if now >= end:
            return best


def main():
    side, out, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    if side == "executor":
        sys.path.insert(0, str(HERE.parent.parent / "harness"))
        import tritonrl_harness

        tritonrl_harness.install()
    from kernels import all_kernels

    arrays, times = {}, {}
    for name, (launch, outputs, moved, flops) in all_kernels("cuda" if side == "executor" else "cpu").items():
        times[name] = {"seconds": timed(launch, seconds), "bytes": moved, "flops": flops}
        for number, output in enumerate(outputs):
            arrays[f"{name}/{number}"] = output.cpu().float().numpy()
    numpy.savez(out, **arrays)
    print(json.dumps(times))


if __name__ == "__main__":
    main()
