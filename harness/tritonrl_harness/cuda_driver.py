"""Triton's driver for a guest on a GPU: machine code comes from the other side of the socket, launches go through our library."""

import functools
import json

import torch
import triton
import triton.backends
from triton.runtime.errors import OutOfResources, PTXASError
from triton.testing import do_bench

from . import compiler, driver
from .errors import UnsupportedKernel

# Milliseconds a configuration: autotuning is a guest's own business, and its time ours.
_BENCH = {"warmup": 3, "rep": 12}
_state = None


def install(state):
    global _state
    _state = state
    driver.use(state)
    compiler.tell_files_apart()
    triton.backends.backends["nvidia"] = triton.backends.Backend(compiler=compiler.Backend, driver=Driver)
    triton.runtime.driver.set_active(Driver())
    driver.ask_for_resources_at_warmup()


class Utils(driver.Utils):
    def load_binary(self, name, binary, shared, device):
        kernel, *_ = loaded = super().load_binary(name, binary, shared, device)
        if not kernel.handle:
            return loaded
        registers, spilled, _ = _state.executor.resources(kernel.handle)
        return kernel, kernel, registers, spilled // 4, _state.profile.max_threads_per_block


class Launcher(driver.Launcher):
    """Called once for each launch, with what Triton's own launcher takes."""

    def __call__(self, x, y, z, stream, kernel, packed, metadata, enter_hook, exit_hook, *args):
        self._allocate_scratch(x * y * z, stream)
        if enter_hook is not None:
            enter_hook(metadata)
        if x * y * z > 0:
            self._launch(kernel, self._grid(*self._checked_grid(x, y, z)), stream, args)
        if exit_hook is not None:
            exit_hook(metadata)

    def _launch(self, kernel, grid, stream, args):
        if not kernel.handle:
            _refuse(kernel.name, json.loads(kernel.error))
        taken = self._plan.take()
        self._plan.fill(taken, args)
        error = _state.executor.launch_on(kernel.handle, grid, stream, taken[0], self._plan.count)
        self._plan.give_back(taken)
        if error:
            raise RuntimeError(f"Triton Error [CUDA]: {error}")


def _refuse(name, report):
    """As Triton refuses at the same place: its autotuner then tries the next configuration."""
    words = f"kernel {name}: {report['error']}"
    if report["kind"] == "unsupported":
        raise UnsupportedKernel(words)
    if report["kind"] == "resources":
        raise OutOfResources(report.get("required", 0), _state.profile.shared_memory_per_block_optin, "shared memory")
    raise PTXASError(words)


class Driver(driver.Driver):
    def __init__(self):
        super().__init__()
        self.utils = Utils()
        self.launcher_cls = Launcher

    def get_current_stream(self, device=None):
        return torch._C._cuda_getCurrentRawStream(0)

    def get_benchmarker(self):
        return functools.partial(do_bench, **_BENCH)

    def get_empty_cache_for_benchmark(self):
        return torch.empty(64 << 20, dtype=torch.int, device="cuda")

    def clear_cache(self, cache):
        cache.zero_()


