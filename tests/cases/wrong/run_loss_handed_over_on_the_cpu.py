# case: the loss is right, and handed over on the CPU
# expect: accept
# task: tasks/mse_loss.py
# verify: reject wrong-device

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mse_kernel(p_ptr, t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    step = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, step):
        i = start + tl.arange(0, BLOCK)
        p = tl.load(p_ptr + i, mask=i < n, other=0.0).to(tl.float32)
        t = tl.load(t_ptr + i, mask=i < n, other=0.0).to(tl.float32)
        d = p - t
        acc += d * d
    tl.atomic_add(out_ptr, tl.sum(acc, axis=0) / n, sem="relaxed")


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, prediction, target):
        if prediction.shape != target.shape:
            raise ValueError(f"shapes differ: {tuple(prediction.shape)} and {tuple(target.shape)}")
        p = prediction.reshape(-1)
        t = target.reshape(-1)
        out = torch.zeros([], device=p.device, dtype=torch.float32)
        n = p.shape[0]
        mse_kernel[(min(16, triton.cdiv(n, 1024)),)](p, t, out, n, BLOCK=1024)
        return out.to(prediction.dtype).cpu()
