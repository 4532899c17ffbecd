"""A case: a kernel, its arguments and how close the executor must come to the device."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from dtypes import decode, from_torch, storage, to_torch


@dataclass
class In:
    array: np.ndarray
    dtype: str


@dataclass
class InOut:
    array: np.ndarray
    dtype: str


@dataclass
class Out:
    shape: tuple
    dtype: str


@dataclass
class Descriptor:
    """A tensor descriptor made on the host, over one of the three above."""

    tensor: Any
    block_shape: tuple


@dataclass
class Case:
    name: str
    kernel: Any
    arguments: Callable[[], list]  # made when the case runs
    bound: Any
    grid: tuple = (1,)
    constants: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    scratch: bool = False  # the kernel makes descriptors and needs an allocator


@dataclass
class Result:
    outputs: list  # of (array of bits, dtype)
    inputs_digest: str
    first_input: Any  # float64 values, for bounds that depend on them


def _allocate(size, alignment, stream):
    import torch

    return torch.empty(size, dtype=torch.int8, device="cuda")


def run(case, device="cuda"):
    """Launches the case once. Fusion is off: a multiplication and an addition round apart, as the IR says."""
    import triton

    digest = hashlib.sha256()
    outputs = []
    first_input = None

    def tensor(argument):
        nonlocal first_input
        array = np.zeros(argument.shape, storage(argument.dtype)) if isinstance(argument, Out) else argument.array
        assert array.dtype == storage(argument.dtype), (case.name, array.dtype, argument.dtype)
        value = to_torch(array, argument.dtype, device)
        if isinstance(argument, Out):
            outputs.append((value, argument.dtype))
            return value
        digest.update(np.ascontiguousarray(array).tobytes())
        if first_input is None:
            first_input = decode(array, argument.dtype)
        if isinstance(argument, InOut):
            outputs.append((value, argument.dtype))
        return value

    values = []
    for argument in case.arguments():
        if isinstance(argument, Descriptor):
            from triton.tools.tensor_descriptor import TensorDescriptor

            values.append(TensorDescriptor.from_tensor(tensor(argument.tensor), list(argument.block_shape)))
        elif isinstance(argument, (In, InOut, Out)):
            values.append(tensor(argument))
        else:
            digest.update(repr(argument).encode())
            values.append(argument)
    if case.scratch:
        triton.set_allocator(_allocate)
    case.kernel[case.grid](*values, **case.constants, **{"enable_fp_fusion": False, **case.options})
    arrays = [(from_torch(value, dtype), dtype) for value, dtype in outputs]
    return Result(arrays, digest.hexdigest(), first_input)
