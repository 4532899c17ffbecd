# case: the hinge loss without its hinge
# expect: accept
# task: tasks/hinge_loss.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def hinge_kernel(s_ptr, t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = i < n
    s = tl.load(s_ptr + i, mask=m, other=0.0)
    t = tl.load(t_ptr + i, mask=m, other=0.0)
    sign = tl.where(t > 0, 1.0, tl.where(t < 0, -1.0, 0.0))
    tl.store(out_ptr, tl.sum(tl.where(m, 1.0 - s * sign, 0.0), axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, score, target):
        n = score.numel()
        out = torch.empty((), device=score.device, dtype=score.dtype)
        hinge_kernel[(1,)](score.contiguous(), target.contiguous(), out, n, BLOCK=triton.next_power_of_2(n))
        return out
