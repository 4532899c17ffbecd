# case: source and destination are swapped, so the kernel reads the empty buffer and writes the input
# expect: reject writes-input
# rule: writes-input
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy_scale_kernel(dst_ptr, src_ptr, n, s, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(src_ptr + i, mask=i < n)
    tl.store(dst_ptr + i, v * s, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, s=0.125):
        super().__init__()
        self.s = s

    def forward(self, x):
        out = torch.empty_like(x)
        n = x.numel()
        copy_scale_kernel[(triton.cdiv(n, 1024),)](x, out, n, self.s, BLOCK=1024)
        return out
