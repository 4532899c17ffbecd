# case: tiles per group are counted by an integer division that gives zero, and programs take a remainder of it
# expect: accept
# task: tasks/hinge_loss.py
# verify: reject division-by-zero|wrong-result|wrong-nan|run-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def hinge_kernel(s_ptr, t_ptr, out_ptr, n, groups, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    block = pid // groups * groups + pid % groups
    i = block * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    s = tl.load(s_ptr + i, mask=m, other=0.0)
    t = tl.load(t_ptr + i, mask=m, other=0.0)
    sign = tl.where(t > 0, 1.0, tl.where(t < 0, -1.0, 0.0))
    tl.atomic_add(out_ptr, tl.sum(tl.where(m, tl.maximum(1.0 - s * sign, 0.0), 0.0), axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, score, target):
        n = score.numel()
        out = torch.zeros((), device=score.device, dtype=score.dtype)
        blocks = triton.cdiv(n, 128)
        hinge_kernel[(blocks,)](score.contiguous(), target.contiguous(), out, n, blocks // 8, BLOCK=128)
        return out
