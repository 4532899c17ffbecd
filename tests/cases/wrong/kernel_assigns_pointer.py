# case: the result is assigned to the pointer's name, in the belief that this writes memory
# expect: reject kernel-without-store
# rule: kernel-without-store
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hardtanh_kernel(x_ptr, out_ptr, n, lo, hi, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    x = tl.load(x_ptr + i, mask=keep, other=0.0)
    out_ptr = out_ptr + i
    out_ptr = tl.where(keep, tl.minimum(tl.maximum(x, lo), hi), 0.0)
    return out_ptr


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        hardtanh_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), -1.0, 1.0, BLOCK=512)
        return out
