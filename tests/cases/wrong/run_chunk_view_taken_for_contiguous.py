# case: the halves of a row are views with a stride, read as if they were contiguous
# expect: accept
# task: tasks/swiglu.py
# verify: reject wrong-result|out-of-bounds

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def swiglu_kernel(g_ptr, u_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    g = tl.load(g_ptr + i, mask=m, other=0.0)
    u = tl.load(u_ptr + i, mask=m, other=0.0)
    tl.store(y_ptr + i, g * tl.sigmoid(g) * u, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        gate, up = x.chunk(2, dim=-1)
        y = torch.empty(gate.shape, device=x.device, dtype=x.dtype)
        swiglu_kernel[(triton.cdiv(y.numel(), 1024),)](gate, up, y, y.numel(), BLOCK=1024)
        return y
