# case: every program spins on a flag that only a program which was never launched would set
# expect: accept
# task: tasks/mse_loss.py
# verify: reject step-limit|step-budget|time-limit

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mse_kernel(p_ptr, t_ptr, flag_ptr, out_ptr, n, last, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(p_ptr + i, mask=i < n, other=0.0) - tl.load(t_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(out_ptr, tl.sum(d * d, axis=0) / n)
    if pid == last:
        tl.atomic_xchg(flag_ptr, 1)
    while tl.atomic_cas(flag_ptr, 1, 1) != 1:
        pass


class ModelNew(nn.Module):
    def forward(self, prediction, target):
        n = prediction.numel()
        blocks = triton.cdiv(n, 1024)
        flag = torch.zeros(1, device=prediction.device, dtype=torch.int32)
        out = torch.zeros((), device=prediction.device, dtype=torch.float32)
        mse_kernel[(blocks,)](prediction, target, flag, out, n, blocks, BLOCK=1024)
        return out
