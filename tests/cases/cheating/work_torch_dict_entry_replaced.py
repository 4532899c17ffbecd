# case: a table of two that agree holds a launcher under a name; the entry is replaced by torch.mm before forward runs
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matvec_kernel(a_ptr, b_ptr, c_ptr, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * K + k, mask=k < K, other=0.0)
    b = tl.load(b_ptr + k, mask=k < K, other=0.0)
    tl.store(c_ptr + row, tl.sum(a * b))


def launch(a, b):
    c = torch.empty((a.shape[0], 1), device=a.device, dtype=a.dtype)
    matvec_kernel[(a.shape[0],)](a, b, c, a.shape[1], BLOCK=triton.next_power_of_2(a.shape[1]))
    return c


FAST = {"matvec": launch}
SAFE = {"matvec": launch}
OPS = {**FAST, **SAFE}
OPS["matvec"] = torch.mm


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        return OPS["matvec"](a, b)
