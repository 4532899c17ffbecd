#!/usr/bin/env python3
"""Counts every schedule's work on the executor, without a GPU: `count.py --out FILE.json [--only TEXT] [--real]`.

Each schedule runs at the operator's quick sizes (with --real at its real ones), is compared with torch, and leaves what the
model of time asks for: the counts of each launch, what the compiler says of its kernel, and the torch operators around it.
Needs build/ and .venv. Also counts the torch references at their real sizes, by dispatch alone."""

import argparse
import ctypes
import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(ROOT / "harness"))

OPERATED = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_double, ctypes.c_int, ctypes.c_int)


class Trace:
    """What the device did since it was last asked."""

    def __init__(self):
        os.environ["TRITONRL_DEVICE_OPTIONS"] = json.dumps({"harness": {"record_launches": True}})
        os.environ.setdefault("TRITONRL_STAGE", "cubin")
        import tritonrl_harness
        from tritonrl_harness import driver, libraries

        self.launches, self.operators = [], []
        self.callback = OPERATED(self._operated)
        address = ctypes.cast(self.callback, ctypes.c_void_p).value
        libraries.Executor.memory_and_trace = lambda executor: (0, 0, address)
        driver.Launcher._record = lambda launcher, kernel, grid, report: self._launched(launcher, kernel, grid, report)
        tritonrl_harness.install()

    def _operated(self, name, count, elements, flops, on_host, to_host):
        if not on_host:
            self.operators.append({"name": name.decode(), "bytes": count, "flops": flops})

    def _launched(self, launcher, kernel, grid, report):
        counters = report["counters"]
        self.launches.append({"kernel": kernel.name, "grid": list(grid), "work": counters["work"],
                              "shape": counters["shape"]})

    def take(self):
        taken = {"launches": list(self.launches), "operators": list(self.operators)}
        self.launches.clear()
        self.operators.clear()
        return taken


def write(path, found):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, separators=(",", ":")) + "\n")


def count_schedules(found, trace, only, real, path):
    from measure import wrong
    from variants import OPERATORS

    for operator in OPERATORS.values():
        names = [name for name in operator.schedules if only in f"{operator.name}/{name}"]
        if not names:
            continue
        counted = found["operators"].setdefault(operator.name, {name: [] for name in names})
        for sizes in operator.sizes if real else [{**operator.sizes[0], **quick} for quick in operator.quick]:
            inputs = operator.make(sizes, "cuda")
            want = operator.reference(*inputs) if not real else None
            for name in names:
                trace.take()
                begun = time.monotonic()
                got = operator.schedules[name](*inputs)
                record = {"sizes": sizes, **trace.take()}
                if error := "" if real else wrong(got, want, operator.tolerance):
                    print(f"WRONG {operator.name}/{name} at {sizes}: {error}", flush=True)
                counted.setdefault(name, []).append(record)
                if (took := time.monotonic() - begun) > 10:
                    print(f"{operator.name}/{name} at {sizes}: {took:.1f} s", flush=True)
        print(f"{operator.name}: {len(names)} schedules", flush=True)
        write(path, found)


def _tensors(value):
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)


def count_references(found):
    """What dispatch shows of each torch reference: names, bytes and flops of operators. Nothing is computed."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils.flop_counter import flop_registry
    from references import CASES
    from variants import OPERATORS

    views = ("view", "_unsafe_view", "t", "transpose", "permute", "expand", "slice", "select", "unsqueeze", "squeeze",
             "alias", "detach", "as_strided", "reshape", "split", "empty", "empty_like", "device")

    class Counter(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.operators = []

        def __torch_dispatch__(self, function, types, arguments=(), options=None):
            out = function(*arguments, **(options or {}))
            name = function.overloadpacket.__name__
            if name not in views:
                # A tensor that is given twice is read once.
                seen = {id(t): t for t in [*_tensors(arguments), *_tensors(out)]}
                flops = 0
                if function.overloadpacket in flop_registry:
                    flops = flop_registry[function.overloadpacket](*arguments, **(options or {}), out_val=out)
                if name.startswith("_scaled_dot_product"):
                    flops = 4 * arguments[0].numel() * arguments[1].shape[-2]
                moved = sum(t.numel() * t.element_size() for t in seen.values())
                self.operators.append({"name": name, "bytes": moved, "flops": flops})
            return out

    tasks = {f"{o.name} {s}": ((lambda device, o=o, s=s: o.make(s, device)), o.reference) for o in OPERATORS.values() for s in o.sizes}
    with FakeTensorMode(allow_non_fake_inputs=True):
        for name, (make, function) in {**CASES, **tasks}.items():
            inputs = make("cpu")
            types = {t.dtype for t in _tensors(inputs) if t.is_floating_point()}
            with Counter() as counter:
                function(*inputs)
            product = "tf32" if torch.float32 in types else "16-bit"
            found["references"][name] = [{**op, "product": product} for op in counter.operators]
    print(f"{len(found['references'])} references", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--only", default="", help="schedules whose name holds this text")
    parser.add_argument("--real", action="store_true", help="count at the sizes that are measured; slow for products")
    options = parser.parse_args()
    trace = Trace()
    import torch
    import triton

    found = {"environment": {"torch": torch.__version__, "triton": triton.__version__}, "operators": {}, "references": {}}
    if not options.only:
        count_references(found)
    count_schedules(found, trace, options.only, options.real, options.out)


if __name__ == "__main__":
    main()
