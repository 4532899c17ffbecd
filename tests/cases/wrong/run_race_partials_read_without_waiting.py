# case: the first program adds up partial sums that the other programs of the same launch write
# expect: accept
# task: tasks/huber_loss.py
# verify: reject data-race|uninitialised-read|wrong-result|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def huber_kernel(p_ptr, t_ptr, part_ptr, out_ptr, n, parts, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    d = tl.abs(tl.load(p_ptr + i, mask=m, other=0.0) - tl.load(t_ptr + i, mask=m, other=0.0))
    loss = tl.where(d < 1.0, 0.5 * d * d, d - 0.5)
    tl.store(part_ptr + pid, tl.sum(loss, axis=0))
    if pid == 0:
        k = tl.arange(0, PARTS)
        total = tl.sum(tl.load(part_ptr + k, mask=k < parts, other=0.0), axis=0)
        tl.store(out_ptr, total / n)


class ModelNew(nn.Module):
    def forward(self, prediction, target):
        n = prediction.numel()
        parts = triton.cdiv(n, 512)
        partial = torch.empty(parts, device=prediction.device, dtype=torch.float32)
        out = torch.empty((), device=prediction.device, dtype=torch.float32)
        huber_kernel[(parts,)](prediction.contiguous(), target.contiguous(), partial, out, n, parts,
                               BLOCK=512, PARTS=triton.next_power_of_2(parts))
        return out
