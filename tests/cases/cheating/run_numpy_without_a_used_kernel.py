# case: numpy computes and fills the output by a copy; the kernel's result goes nowhere
# expect: reject torch-compute
# task: tasks/hinge_loss.py
# static: off
# verify: reject host-compute|kernel-result-unused|torch-compute

import numpy as np
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def hinge_kernel(s_ptr, t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    s = tl.load(s_ptr + i, mask=i < n, other=0.0)
    t = tl.load(t_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr, tl.sum(tl.maximum(1.0 - s * t, 0.0), axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, score, target):
        n = score.numel()
        scratch = torch.empty((), device=score.device)
        hinge_kernel[(1,)](score, target, scratch, n, BLOCK=triton.next_power_of_2(n))
        s, t = score.cpu().numpy(), target.cpu().numpy()
        loss = np.maximum(1.0 - s * np.sign(t), 0.0).mean(dtype=np.float64)
        out = torch.empty((), device=score.device)
        out.copy_(torch.tensor(float(loss)))
        return out
