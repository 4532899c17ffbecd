#!/usr/bin/env python3
"""Measures every schedule and every torch reference on a GPU: `measure.py --out FILE.json [--only TEXT] [--jobs N]`.

Needs torch, Triton and a GPU, nothing of this project's build. Kernels are compiled first, by many processes at once;
then each output is compared with torch's, and times are taken by CUDA events with the L2 cache flushed and the queue kept
full, so that the host's own time does not show. The file is rewritten as the run proceeds."""

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import sys
import tempfile
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
FLUSH_BYTES = 1 << 28  # more than five times the cache
SPIN_CYCLES = 600_000  # about 0.3 ms in which the host fills the queue


def environment():
    import torch
    import triton

    properties = torch.cuda.get_device_properties(0)
    return {
        "device": properties.name,
        "multiprocessors": properties.multi_processor_count,
        "l2_bytes": getattr(properties, "L2_cache_size", None),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "triton": triton.__version__,
        "cuda": torch.version.cuda,
    }


def allow_tf32():
    import torch

    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True


def compile_some(number, of, only):
    """One process's share of the schedules, run once each to fill Triton's cache on disk."""
    import torch
    from variants import OPERATORS

    allow_tf32()
    work = [(o, s, sizes) for o in OPERATORS.values() for s in o.schedules for sizes in o.sizes if only in f"{o.name}/{s}"]
    made = (None, None)
    for operator, schedule, sizes in work[number::of]:
        try:
            if made[0] != (operator.name, str(sizes)):
                made = ((operator.name, str(sizes)), operator.make(sizes, "cuda"))
            operator.schedules[schedule](*made[1])
            torch.cuda.synchronize()
        except Exception as error:  # noqa: BLE001
            print(f"compiling {operator.name}/{schedule}: {error!r}"[:300], flush=True)
            if "CUDA error" in repr(error):
                return


class Stopwatch:
    def __init__(self):
        import torch

        self.torch = torch
        self.flush = torch.empty(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")

    def once(self, function):
        torch = self.torch
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        self.flush.zero_()
        torch.cuda._sleep(SPIN_CYCLES)
        begin.record()
        function()
        end.record()
        return begin, end

    def times_us(self, function, runs=25, warm=3):
        """Times of single calls. Slow ones get fewer runs."""
        for _ in range(warm):
            function()
        first = [self.once(function) for _ in range(3)]
        self.torch.cuda.synchronize()
        if statistics.median(b.elapsed_time(e) for b, e in first) > 5:
            runs = 5
        events = [self.once(function) for _ in range(runs)]
        self.torch.cuda.synchronize()
        return sorted(begin.elapsed_time(end) * 1e3 for begin, end in events)


def summary(times):
    return {
        "us": round(statistics.median(times), 3),
        "low_us": round(times[len(times) // 4], 3),
        "high_us": round(times[(3 * len(times)) // 4], 3),
        "runs": len(times),
    }


def wrong(got, want, tolerance):
    """What differs, or nothing. Outputs of the 16-bit types are compared as fp32."""
    if got.shape != want.shape:
        return f"shape {tuple(got.shape)}, not {tuple(want.shape)}"
    if tolerance == 0:
        return "" if bool((got == want).all()) else "differs"
    difference = (got.float() - want.float()).abs()
    worst = float((difference / (1 + want.float().abs())).max())
    return "" if worst <= tolerance else f"differs by {worst:.3g}"


def resources(launched):
    found = []
    for kernel in launched:
        if hasattr(kernel, "_init_handles"):
            kernel._init_handles()
        found.append({
            "kernel": kernel.metadata.name,
            "registers": kernel.n_regs,
            "spills": kernel.n_spills,
            "shared": kernel.metadata.shared,
            "warps": kernel.metadata.num_warps,
            "stages": kernel.metadata.num_stages,
        })
    return found


def kernels_of(function):
    """Names of the GPU's kernels in one call, as the profiler sees them; None where it cannot look."""
    import torch

    try:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
            function()
            torch.cuda.synchronize()
        events = [e for e in profile.events() if str(e.device_type).endswith("CUDA")]
        return [{"name": e.name[:90], "us": round(e.device_time if hasattr(e, "device_time") else e.cuda_time, 2)} for e in events]
    except Exception as error:  # noqa: BLE001
        return {"error": repr(error)[:200]}


def calibrate(watch):
    """Figures of the machine itself that the model's constants can be held against."""
    import torch
    from operators.elementwise import add_kernel

    one = torch.zeros(32, device="cuda")
    big = torch.zeros(1 << 28, device="cuda")
    small = torch.zeros(1 << 21, device="cuda")
    out = torch.empty_like(big)

    def empty(times):
        for _ in range(times):
            add_kernel[(1,)](one, one, one, 0, BLOCK=32, num_warps=1)

    return {
        "nothing": summary(watch.times_us(lambda: None)),
        "1 empty kernel": summary(watch.times_us(lambda: empty(1))),
        "4 empty kernels": summary(watch.times_us(lambda: empty(4))),
        "8 empty kernels": summary(watch.times_us(lambda: empty(8))),
        "4 torch operators of one element": summary(watch.times_us(lambda: [one.add_(1) for _ in range(4)])),
        "copy 1 GiB": summary(watch.times_us(lambda: out.copy_(big))),
        "fill 1 GiB": summary(watch.times_us(lambda: out.zero_())),
        "sum 1 GiB": summary(watch.times_us(lambda: big.sum())),
        "copy 8 MiB twice, the second from cache": summary(watch.times_us(lambda: (out[: 1 << 21].copy_(small), out[: 1 << 21].copy_(small)))),
        "copy 8 MiB once": summary(watch.times_us(lambda: out[: 1 << 21].copy_(small))),
    }


def write(path, found):
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(found, indent=1) + "\n")
    os.replace(temporary, path)


def measure_schedules(found, watch, path, only, limit):
    import torch
    from operators import task
    from variants import OPERATORS

    for operator in OPERATORS.values():
        for sizes in operator.sizes:
            names = [name for name in operator.schedules if only in f"{operator.name}/{name}"]
            if not names:
                continue
            entry = {"operator": operator.name, "sizes": sizes, "schedules": {}}
            found["tasks"].append(entry)
            inputs = operator.make(sizes, "cuda")
            want = operator.reference(*inputs)
            reference = summary(watch.times_us(lambda: operator.reference(*inputs)))
            entry["reference"] = reference
            for name in names:
                if time.monotonic() > limit:
                    entry["schedules"][name] = {"error": "time was up"}
                    continue
                try:
                    task.launched.clear()
                    got = operator.schedules[name](*inputs)
                    used = resources(task.launched)
                    error = wrong(got, want, operator.tolerance)
                    del got
                    record = summary(watch.times_us(lambda: operator.schedules[name](*inputs)))
                    entry["schedules"][name] = {**record, "launches": used, **({"error": error} if error else {})}
                except Exception as error:  # noqa: BLE001
                    entry["schedules"][name] = {"error": repr(error)[:400], "trace": traceback.format_exc()[-600:]}
                    print(f"FAILED {operator.name}/{name}: {error!r}"[:200], flush=True)
                task.launched.clear()
            del inputs, want
            torch.cuda.empty_cache()
            good = [record["us"] for record in entry["schedules"].values() if "us" in record]
            print(f"{operator.name} {sizes}: torch {reference['us']:.1f} us, schedules "
                  f"{min(good, default=0):.1f} to {max(good, default=0):.1f} us, "
                  f"{sum('error' in r for r in entry['schedules'].values())} wrong", flush=True)
            write(path, found)


def measure_references(found, watch, path, only, limit):
    import torch
    from references import CASES

    for name, (make, function) in CASES.items():
        if only not in name or time.monotonic() > limit:
            continue
        try:
            inputs = make("cuda")
            record = summary(watch.times_us(lambda: function(*inputs)))
        except Exception as error:  # noqa: BLE001
            record = {"error": repr(error)[:400]}
            print(f"FAILED {name}: {error!r}"[:200], flush=True)
        found["references"][name] = record
        inputs = None
        torch.cuda.empty_cache()
    write(path, found)
    # The profiler is slow, and disturbs what comes after it.
    for name, (make, function) in CASES.items():
        if time.monotonic() > limit:
            break
        if "us" in found["references"].get(name, {}):
            inputs = make("cuda")
            found["references"][name]["kernels"] = kernels_of(lambda: function(*inputs))
            inputs = None
    write(path, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--only", default="", help="schedules and references whose name holds this text")
    parser.add_argument("--jobs", type=int, default=min(14, os.cpu_count() or 1), help="processes that compile")
    parser.add_argument("--limit", type=float, default=330.0, help="seconds for everything")
    options = parser.parse_args()
    begun = time.monotonic()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("TRITON_CACHE_DIR", tempfile.mkdtemp(prefix="model_fit_"))

    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=compile_some, args=(n, options.jobs, options.only)) for n in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(max(1.0, begun + 0.55 * options.limit - time.monotonic()))
        if worker.is_alive():
            print("a compiling process is late: ended", flush=True)
            worker.kill()
            worker.join()
    print(f"compiled in {time.monotonic() - begun:.0f} s", flush=True)

    allow_tf32()
    found = {"environment": environment(), "tasks": [], "references": {}}
    watch = Stopwatch()
    watch.times_us(lambda: watch.flush.zero_(), runs=50)  # clocks up
    try:
        found["calibration"] = calibrate(watch)
    except Exception as error:  # noqa: BLE001
        found["calibration"] = {"error": repr(error)[:400]}
    write(options.out, found)
    measure_schedules(found, watch, options.out, options.only, begun + 0.9 * options.limit)
    measure_references(found, watch, options.out, options.only, begun + options.limit)
    found["seconds"] = round(time.monotonic() - begun, 1)
    write(options.out, found)
    records = [record for entry in found["tasks"] for record in entry["schedules"].values()]
    good = sum("error" not in record for record in records)
    print(f"{good} of {len(records)} schedules and {len(found['references'])} references in {found['seconds']} s", flush=True)
    return 0 if good == len(records) else 1


if __name__ == "__main__":
    sys.exit(main())
