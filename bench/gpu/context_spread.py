#!/usr/bin/env python3
"""What a launch takes behind another, by the context that it is made in: on an H200 one of two values, a twelfth apart, which a context keeps
as long as it lives. For whoever wants measured speedups to repeat.

    python bench/gpu/context_spread.py [--processes 5] [--contexts 4]

A row is a context: microseconds from one short kernel to the next that waits for it, on the default stream and on others, behind a flush
of the cache that is long enough for all launches. Needs the driver alone.
"""

import argparse
import ctypes
import os
import statistics

LAUNCHES, RUNS, WARM_UPS, FLUSHES = 16, 12, 3, 6
FLUSH_BYTES = 256 << 20
COUNT = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry count(.param .u64 at) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [at];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r1, [%rd2];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd2], %r1;
  ret;
}
"""


class Driver:
    def __init__(self):
        self._library = ctypes.CDLL("libcuda.so.1")

    def __getattr__(self, name):
        function = getattr(self._library, name)

        def call(*arguments):
            status = function(*arguments)
            if status:
                raise SystemExit(f"{name} failed: error {status}")

        return call


def handle(make, *arguments):
    made = ctypes.c_void_p()
    make(ctypes.byref(made), *arguments)
    return made


def launch_times(driver, streams):
    context = handle(driver.cuCtxCreate_v2, 0, 0)
    count = handle(driver.cuModuleGetFunction, handle(driver.cuModuleLoadData, COUNT), b"count")
    memory = ctypes.c_uint64()
    driver.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(FLUSH_BYTES))
    begin, end = handle(driver.cuEventCreate, 0), handle(driver.cuEventCreate, 0)
    parameters = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(memory), ctypes.c_void_p))

    def run(stream):
        for _ in range(FLUSHES):
            driver.cuMemsetD32Async(memory, 0, ctypes.c_size_t(FLUSH_BYTES // 4), stream)
        driver.cuEventRecord(begin, stream)
        for _ in range(LAUNCHES):
            driver.cuLaunchKernel(count, 1, 1, 1, 32, 1, 1, 0, stream, parameters, None)
        driver.cuEventRecord(end, stream)
        driver.cuCtxSynchronize()
        milliseconds = ctypes.c_float()
        driver.cuEventElapsedTime(ctypes.byref(milliseconds), begin, end)
        return milliseconds.value * 1e3 / LAUNCHES

    default = ctypes.c_void_p(0)
    found = []
    for stream in [default, *(handle(driver.cuStreamCreate, 1) for _ in range(streams))]:
        found.append(statistics.median([run(stream) for _ in range(WARM_UPS + RUNS)][WARM_UPS:]))
    driver.cuCtxDestroy_v2(context)
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--processes", type=int, default=5)
    options.add_argument("--contexts", type=int, default=4, help="of each process, one after the other")
    options.add_argument("--streams", type=int, default=3, help="beside the default one")
    given = options.parse_args()
    for n in range(given.processes):
        child = os.fork()
        if child == 0:
            driver = Driver()
            driver.cuInit(0)
            for _ in range(given.contexts):
                print(f"process {n + 1}: " + " ".join(f"{us:.3f}" for us in launch_times(driver, given.streams)), flush=True)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
