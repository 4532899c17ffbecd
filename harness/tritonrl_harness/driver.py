"""Triton's driver for the claimed device: kernels are loaded into the executor and launched there."""

import ctypes
import functools
import json
import os
import sys

import torch
import triton
import triton.backends
import triton.testing
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.backends.nvidia.compiler import CUDAOptions
from triton.compiler import CompiledKernel
from triton.compiler.compiler import AsmDict
from triton.runtime import _allocation
from triton.runtime.jit import JITFunction

from . import compiler, records
from .arguments import Plan
from .errors import UnsupportedKernel
from .options import STAGES

_MOST_IN_GRID = (2**31 - 1, 65535, 65535)
_state = None


def use(state):
    global _state
    _state = state


def install(state):
    use(state)
    compiler.set_default_stage(state.options.stage)
    # The dictionary that Triton picks backends from: its own entry for NVIDIA gives way.
    compiler.tell_files_apart()
    triton.backends.backends["nvidia"] = triton.backends.Backend(compiler=compiler.Backend, driver=Driver)
    triton.runtime.driver.set_active(Driver())
    triton.testing.do_bench = modelled_bench
    triton.testing.do_bench_cudagraph = modelled_bench
    if state.options.guest:
        ask_for_resources_at_warmup()
    else:
        _compile_further_at_warmup(state.options.warmup_stage)
    _compile_further_for_assembly()


def _compile_further_at_warmup(stage):
    """A script calls kernel.warmup() to ask for registers and shared memory, which Triton IR does not tell."""
    warmup = JITFunction.warmup

    @functools.wraps(warmup)
    def further(self, *args, **kwargs):
        kernel = warmup(self, *args, **kwargs)
        if isinstance(kernel, CompiledKernel) and not kernel.metadata.evidence:
            _add_evidence(kernel, stage)
        return kernel

    JITFunction.warmup = further


def ask_for_resources_at_warmup():
    """The same for a guest, which compiles no further than Triton IR: the other side has a compiler."""
    warmup = JITFunction.warmup

    @functools.wraps(warmup)
    def told(self, *args, **kwargs):
        kernel = warmup(self, *args, **kwargs)
        if isinstance(kernel, CompiledKernel) and not kernel.metadata.evidence:
            _add_resources(kernel)
        return kernel

    JITFunction.warmup = told


def _add_resources(kernel):
    head, ttir = compiler.split_binary(kernel.kernel)
    loaded = LoadedKernel(kernel.name, head, ttir)
    if not loaded.handle:
        return  # its launch says why
    registers, spilled, shared = _state.executor.resources(loaded.handle)
    head["evidence"] = {"registers": registers, "spills": spilled // 4, "shared": shared}
    kernel.kernel = compiler.join_binary(head, ttir)
    kernel.metadata = kernel.metadata._replace(shared=shared, evidence=head["evidence"])


class _Assembly(AsmDict):
    """kernel.asm, which compiles further when a script asks for a later stage."""

    def __init__(self, known, kernel):
        super().__init__(known)
        self._kernel = kernel

    def __missing__(self, key):
        if key not in STAGES or key == "cubin":
            return super().__missing__(key)
        _add_evidence(self._kernel, key)
        return self[key]


def _compile_further_for_assembly():
    init = CompiledKernel.__init__

    @functools.wraps(init)
    def with_assembly(self, *args, **kwargs):
        init(self, *args, **kwargs)
        self.asm = _Assembly(self.asm, self)

    CompiledKernel.__init__ = with_assembly


def _add_evidence(kernel, stage):
    """Compiles the kernel again, further, and gives it what is known then; it stays the kernel that the cache holds."""
    names = CUDAOptions.__dataclass_fields__
    options = {name: value for name, value in kernel.metadata._asdict().items() if name in names}
    options["extern_libs"] = dict(options["extern_libs"])
    # Metadata went through JSON, which knows no tuples.
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    with compiler.at_stage(stage):
        known = triton.compile(kernel.src, target=kernel.metadata.target, options=options)
    for name, text in known.asm.items():
        kernel.asm.setdefault(name, text)
    kernel.metadata, kernel.packed_metadata, kernel.kernel = known.metadata, known.packed_metadata, known.kernel
    kernel.module = kernel.function = kernel._run = None  # loaded again when it is launched


class LoadedKernel:
    """A kernel in the executor, or why it cannot be there."""

    def __init__(self, name, head, ttir):
        self.name = name
        self.handle, self.error = _state.executor.load(head, ttir)

    def __del__(self):
        if self.handle and not sys.is_finalizing():
            _state.executor.unload(self.handle)


class Utils:
    """What Triton asks of driver.utils."""

    def load_binary(self, name, binary, shared, device):
        head, ttir = compiler.split_binary(binary)
        evidence = head["evidence"]
        kernel = LoadedKernel(name, head, ttir)
        # Without evidence registers and spills are not known, which is told as 0.
        return kernel, kernel, evidence.get("registers", 0), evidence.get("spills", 0), _state.profile.max_threads_per_block

    def unload_module(self, module):
        pass

    def get_device_properties(self, device):
        profile = _state.profile
        return {
            "max_shared_mem": profile.shared_memory_per_block_optin,
            "max_num_regs": profile.regs_per_multiprocessor,
            "multiprocessor_count": profile.multi_processor_count,
            "warpSize": profile.warp_size,
            "sm_clock_rate": profile.clock_rate,
            "mem_clock_rate": profile.memory_clock_rate,
            "mem_bus_width": profile.memory_bus_width,
        }

    def set_printf_fifo_size(self, size):
        pass


def _descriptor_form(metadata):
    """How a descriptor parameter looks in the kernel's Triton IR: Triton rewrites it where the hardware lacks it."""
    arch = getattr(metadata, "arch", None) or f"sm{metadata.target.arch}"
    if int(arch.removeprefix("sm")) >= 90:
        return ""
    version = tuple(int(part) for part in triton.__version__.split(".")[:2])
    return "with-rounding" if version >= (3, 7) else "pointers"


class Launcher:
    """Called once for each launch, with what Triton's own launcher takes."""

    def __init__(self, src, metadata):
        signature = list(src.signature.values())
        names = getattr(getattr(src, "fn", None), "arg_names", None) or [f"argument {n}" for n in range(len(signature))]
        self._plan = Plan(signature, names, _state.plugin.owns, _descriptor_form(metadata))
        self._scratch_size = metadata.global_scratch_size * getattr(metadata, "num_ctas", 1)
        self._scratch_align = metadata.global_scratch_align
        self._evidence = getattr(metadata, "evidence", {})
        self._grid = (ctypes.c_uint32 * 3)

    def __call__(self, x, y, z, stream, kernel, packed, metadata, enter_hook, exit_hook, *args):
        programs = x * y * z
        self._allocate_scratch(programs, stream)
        if enter_hook is not None:
            enter_hook(metadata)
        taken = self._plan.take()
        self._plan.fill(taken, args)
        if programs > 0:
            self._run(kernel, self._grid(*self._checked_grid(x, y, z)), taken[0])
        self._plan.give_back(taken)
        if exit_hook is not None:
            exit_hook(metadata)

    def _allocate_scratch(self, programs, stream):
        if self._scratch_size:
            # Its memory is not used, but a script that sets no allocator fails here as on a GPU.
            _allocation._allocator.get()(programs * self._scratch_size, self._scratch_align, stream)

    @staticmethod
    def _checked_grid(*grid):
        if any(size > most for size, most in zip(grid, _MOST_IN_GRID)):
            raise RuntimeError("Triton Error [CUDA]: invalid argument")
        return grid

    def _run(self, kernel, grid, array):
        if not kernel.handle:
            _raise(kernel.name, json.loads(kernel.error))
        executor = _state.executor
        text = executor.launch(executor.device, kernel.handle, grid, array, self._plan.count)
        report = json.loads(ctypes.string_at(text))
        executor.library.tritonrl_free_text(text)
        if "error" in report:
            _raise(kernel.name, report)
        _state.plugin.advance(report["modelled_us"])
        for finding in report["findings"]:
            records.add_finding(finding, kernel.name)
        if report["printed"]:
            _print(report["printed"])
        if _state.options.record_launches:
            self._record(kernel, grid, report)

    def _record(self, kernel, grid, report):
        stack = records.python_stack()
        records.write(
            {
                "type": "launch",
                "kernel": kernel.name,
                "grid": list(grid),
                "launched_at": stack[0] if stack else None,
                "counters": report.get("counters", {}),
                "modelled_us": report["modelled_us"],
                "bound": report["bound"],
                "evidence": self._evidence,
            }
        )


def _raise(name, report):
    words = f"kernel {name}: {report['error']}"
    if report.get("kind") == "unsupported":
        records.write({"type": "unsupported", "message": words})  # whatever the script makes of the exception
        raise UnsupportedKernel(words)
    raise RuntimeError(words)


def _print(lines):
    """tl.device_print writes to the process's standard output, past Python's buffers, on a GPU too."""
    sys.stdout.flush()
    data = "".join(line if line.endswith("\n") else line + "\n" for line in lines).encode()
    while data:
        data = data[os.write(1, data) :]


class Driver(DriverBase):
    def __init__(self):
        super().__init__()
        self.utils = Utils()
        self.launcher_cls = Launcher

    @classmethod
    def is_active(cls):
        return True

    def get_current_target(self):
        return GPUTarget("cuda", _state.profile.capability, _state.profile.warp_size)

    def get_device_capability(self, device=0):
        return _state.profile.major, _state.profile.minor

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        torch.cuda.set_device(device)

    def get_current_stream(self, device=None):
        return torch._C._accelerator_getStream(0).stream_id

    def get_active_torch_device(self):
        return torch.device("cuda", 0)

    def get_device_interface(self):
        return torch.cuda

    def map_python_to_cpp_type(self, ty):
        from triton.backends.nvidia.driver import ty_to_cpp

        return ty_to_cpp(ty)

    def get_benchmarker(self):
        return modelled_bench

    def get_empty_cache_for_benchmark(self):
        return torch.empty(0, dtype=torch.int, device="cuda")

    def clear_cache(self, cache):
        pass

    def assemble_tensormap_to_arg(self, tensormaps_info, args):
        return args


def modelled_bench(fn, warmup=None, rep=None, grad_to_none=None, quantiles=None, return_mode="mean", **_):
    """triton.testing.do_bench with modelled time: one run, the same figure for every statistic, the same every time."""
    for tensor in grad_to_none or ():
        tensor.grad = None
    before = _state.plugin.modelled_us()
    fn()
    milliseconds = (_state.plugin.modelled_us() - before) / 1000.0
    if quantiles is not None:
        return [milliseconds] * len(quantiles) if len(quantiles) > 1 else milliseconds
    return [milliseconds] if return_mode == "all" else milliseconds
