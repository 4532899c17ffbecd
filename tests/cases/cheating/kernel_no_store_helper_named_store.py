# case: a device function called store only returns its value; nothing in the kernel writes memory
# expect: reject kernel-without-store
# rule: kernel-without-store
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def store(pointer, value, mask):
    return tl.where(mask, value, 0.0)


@triton.jit
def max_pool1d_kernel(x_ptr, y_ptr, length, out_length, K: tl.constexpr, BLOCK: tl.constexpr):
    chan = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = o < out_length
    best = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for k in range(K):
        best = tl.maximum(best, tl.load(x_ptr + chan * length + o * K + k, mask=mask, other=-float("inf")))
    store(y_ptr + chan * out_length + o, best, mask)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int):
        super().__init__()
        self.kernel_size = kernel_size

    def forward(self, x):
        b, c, n = x.shape
        m = n // self.kernel_size
        y = torch.empty((b, c, m), device=x.device, dtype=x.dtype)
        max_pool1d_kernel[(b * c, triton.cdiv(m, 64))](x, y, n, m, K=self.kernel_size, BLOCK=64)
        return y
