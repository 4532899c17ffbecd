"""Kernels that apply one function to each element; the function is an argument."""

import triton
import triton.language as tl

from case import Case, In, Out
from inputs import COUNT

BLOCK = 256


@triton.jit
def unary_kernel(x_ptr, out_ptr, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, FUNCTION(tl.load(x_ptr + at)))


@triton.jit
def binary_kernel(x_ptr, y_ptr, out_ptr, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, FUNCTION(tl.load(x_ptr + at), tl.load(y_ptr + at)))


@triton.jit
def ternary_kernel(x_ptr, y_ptr, z_ptr, out_ptr, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, FUNCTION(tl.load(x_ptr + at), tl.load(y_ptr + at), tl.load(z_ptr + at)))


KERNELS = {1: unary_kernel, 2: binary_kernel, 3: ternary_kernel}


def elementwise(name, function, make, out, bound, count=COUNT):
    """`make` gives the arrays of the operands as (array, dtype) pairs; the result has type `out`."""

    def arguments():
        operands = make()
        return [In(array, dtype) for array, dtype in operands] + [Out((count,), out)]

    constants = {"FUNCTION": function, "BLOCK": BLOCK}
    return Case(name, KERNELS[len(function.arg_names)], arguments, bound, grid=(count // BLOCK,), constants=constants)
