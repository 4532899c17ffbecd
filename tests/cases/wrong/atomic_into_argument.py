# case: a helper accumulates the histogram into the second argument of forward
# expect: reject writes-input
# rule: writes-input
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scatter_add_kernel(idx_ptr, val_ptr, acc_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    idx = tl.load(idx_ptr + i, mask=m, other=0)
    val = tl.load(val_ptr + i, mask=m, other=0.0)
    tl.atomic_add(acc_ptr + idx, val, mask=m)


def scatter_add(into, index, values):
    n = index.numel()
    scatter_add_kernel[(triton.cdiv(n, 256),)](index, values, into, n, BLOCK=256)
    return into


class ModelNew(nn.Module):
    def forward(self, base, index, values):
        return scatter_add(base, index, values)
