# case: the store is a comment, the helper that should do it only computes
# expect: reject kernel-without-store
# rule: kernel-without-store
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def finish(y_ptr, i, value, mask):
    # tl.store(y_ptr + i, value, mask=mask)
    return value * 1.0


@triton.jit
def log_sigmoid_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    value = -tl.log(1.0 + tl.exp(-x))
    finish(y_ptr, i, value, mask)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        log_sigmoid_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
