"""A guest's process on a GPU: a context of its own, torch's memory from the arena that the other side owns, Triton on top."""

import dataclasses
import gc

import torch
from triton.runtime import _allocation  # noqa: F401 (loaded before the first fork)

from . import cuda_driver, guest, oracle, warming  # noqa: F401 (guest: for the children)
from .install import State, set_state
from .libraries import CudaExecutor, OperatorTrace
from .options import Options
from .profile import PROFILES


class CudaState(State):
    """What one guest on a GPU holds together."""

    gpu = True

    def __init__(self):
        executor = CudaExecutor()
        super().__init__(Options(guest=True), PROFILES["h200"], executor, executor)
        self.trace = OperatorTrace()

    def start(self, descriptors):
        """All was done before the process was locked down."""


def preload():
    """Before the first fork: everything imported, Triton's compiler once through, and CUDA not touched."""
    state = CudaState()
    set_state(state)
    cuda_driver.install(state)
    warming.compute_once()
    oracle.rehearse()
    warming.compile_once()
    if torch.cuda.is_initialized():
        raise RuntimeError("CUDA was started before the fork")
    gc.collect()
    gc.freeze()


def prepare_candidate(descriptors):
    """In the child, with its own root but before it is locked down: the driver would not start after that."""
    _prepare(descriptors, lambda: torch.ones(32, device="cuda").sum().item())


def prepare_reference(descriptors):
    """The same where torch computes: what CUDA's libraries read from files on first use is read while they can."""

    def use_once():
        x = torch.ones(32, 32, device="cuda")
        (x @ x).softmax(-1).double().sum().item()

    _prepare(descriptors, use_once)


def _prepare(descriptors, use_once):
    from .install import install

    state = install()
    executor = state.executor
    executor.connect(descriptors["channel"], descriptors["arena"])
    allocator = torch.cuda.memory.CUDAPluggableAllocator(executor.path, "tritonrl_cuda_allocate", "tritonrl_cuda_release")
    torch.cuda.memory.change_current_allocator(allocator)
    torch.cuda.init()
    state.profile = _profile(state.profile)
    use_once()
    state.trace.start(executor)


def _profile(known):
    device = torch.cuda.get_device_properties(0)
    figures = {field.name: getattr(device, field.name) for field in dataclasses.fields(known) if hasattr(device, field.name)}
    return dataclasses.replace(known, **figures)
