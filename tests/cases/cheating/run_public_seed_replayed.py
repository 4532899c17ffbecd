# case: inputs are regenerated from seed 42 in the constructor, and their answer is kept for later
# expect: reject cached-result
# task: tasks/mse_loss.py
# static: off
# verify: reject wrong-result|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mse_kernel(p_ptr, t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        d = tl.load(p_ptr + i, mask=i < n, other=0.0) - tl.load(t_ptr + i, mask=i < n, other=0.0)
        acc += d * d
    tl.store(out_ptr, tl.sum(acc, axis=0) / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(42)
        p = torch.randn(60, 333).cuda()
        t = (torch.randn(60, 333) * 0.5 + 1.0).cuda()
        self.ready = torch.empty((), device="cuda")
        mse_kernel[(1,)](p, t, self.ready, p.numel(), BLOCK=1024)

    def forward(self, prediction, target):
        return self.ready.clone()
