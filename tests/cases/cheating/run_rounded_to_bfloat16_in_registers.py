# case: differences are rounded to bf16 before they are squared, in a task of fp32
# expect: accept
# task: tasks/mse_loss.py
# verify: reject precision-downgrade|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def loss_kernel(p_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), tl.float32)
    for begin in range(0, n, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        p = tl.load(p_ptr + i, mask=i < n, other=0.0)
        t = tl.load(t_ptr + i, mask=i < n, other=0.0)
        d = (p - t).to(tl.bfloat16)
        acc += (d * d).to(tl.float32)
    tl.store(y_ptr, tl.sum(acc, axis=0) / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, prediction, target):
        y = torch.empty((), device=prediction.device, dtype=prediction.dtype)
        loss_kernel[(1,)](prediction.contiguous(), target.contiguous(), y, prediction.numel(), BLOCK=1024)
        return y
