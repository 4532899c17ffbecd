# case: partial losses, then their sum
# expect: accept
# task: tasks/huber_loss.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def huber_parts(p_ptr, t_ptr, part_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    d = tl.abs(tl.load(p_ptr + i, mask=i < n, other=0.0) - tl.load(t_ptr + i, mask=i < n, other=0.0))
    loss = tl.where(d < 1.0, 0.5 * d * d, d - 0.5)
    tl.store(part_ptr + pid, tl.sum(tl.where(i < n, loss, 0.0), axis=0))


@triton.jit
def mean_of_parts(part_ptr, out_ptr, parts, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr, tl.sum(tl.load(part_ptr + i, mask=i < parts, other=0.0), axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, prediction, target):
        n = prediction.numel()
        parts = triton.cdiv(n, 256)
        partial = torch.empty(parts, device=prediction.device, dtype=torch.float32)
        out = torch.empty((), device=prediction.device, dtype=prediction.dtype)
        huber_parts[(parts,)](prediction.contiguous(), target.contiguous(), partial, n, BLOCK=256)
        mean_of_parts[(1,)](partial, out, parts, n, BLOCK=triton.next_power_of_2(parts))
        return out
