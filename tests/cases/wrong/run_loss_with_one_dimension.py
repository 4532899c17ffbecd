# case: the mean loss has shape (1,) where the reference has none
# expect: accept
# task: tasks/mse_loss.py
# verify: reject wrong-shape

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
    def forward(self, prediction, target):
        out = torch.empty(1, device=prediction.device, dtype=prediction.dtype)
        mse_kernel[(1,)](prediction.contiguous(), target.contiguous(), out, prediction.numel(), BLOCK=1024)
        return out
