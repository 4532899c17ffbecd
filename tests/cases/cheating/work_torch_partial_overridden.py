# case: a partial fixes the launcher as the operation, and the call in forward overrides it with torch.mm
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def dot_rows_kernel(a_ptr, b_ptr, c_ptr, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * K + k, mask=k < K, other=0.0)
    b = tl.load(b_ptr + k, mask=k < K, other=0.0)
    tl.store(c_ptr + row, tl.sum(a * b))


def launch(a, b):
    c = torch.empty((a.shape[0], 1), device=a.device, dtype=a.dtype)
    dot_rows_kernel[(a.shape[0],)](a, b, c, a.shape[1], BLOCK=triton.next_power_of_2(a.shape[1]))
    return c


def apply(a, b, operation):
    return operation(a, b)


product = functools.partial(apply, operation=launch)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        return product(a, b, operation=torch.mm)
