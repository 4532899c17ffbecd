# case: a small loss in one program
# expect: accept
# task: tasks/hinge_loss.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def hinge_kernel(s_ptr, t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        m = i < n
        s = tl.load(s_ptr + i, mask=m, other=0.0)
        t = tl.load(t_ptr + i, mask=m, other=0.0)
        sign = (t > 0).to(tl.float32) - (t < 0).to(tl.float32)
        acc += tl.where(m, tl.maximum(1.0 - s * sign, 0.0), 0.0)
    tl.store(out_ptr, tl.sum(acc, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, score, target):
        out = torch.empty((), device=score.device, dtype=score.dtype)
        hinge_kernel[(1,)](score.contiguous(), target.contiguous(), out, score.numel(), BLOCK=128)
        return out
