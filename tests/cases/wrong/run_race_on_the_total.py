# case: programs add to one number by load and store instead of an atomic
# expect: accept
# task: tasks/mse_loss.py
# verify: reject data-race|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mse_kernel(p_ptr, t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    d = tl.load(p_ptr + i, mask=m, other=0.0) - tl.load(t_ptr + i, mask=m, other=0.0)
    total = tl.load(out_ptr)
    tl.store(out_ptr, total + tl.sum(d * d, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, prediction, target):
        n = prediction.numel()
        out = torch.zeros((), device=prediction.device, dtype=torch.float32)
        mse_kernel[(triton.cdiv(n, 1024),)](prediction.contiguous(), target.contiguous(), out, n, BLOCK=1024)
        return out
