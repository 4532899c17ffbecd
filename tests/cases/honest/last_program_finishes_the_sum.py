# case: programs count themselves with an atomic, and the last one adds up the partial sums
# expect: accept
# task: tasks/total_norm.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def norm_kernel(x_ptr, part_ptr, count_ptr, out_ptr, n, parts, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(part_ptr + pid, tl.sum(x * x, axis=0))
    arrived = tl.atomic_add(count_ptr, 1, sem="acq_rel")
    if arrived == parts - 1:
        k = tl.arange(0, PARTS)
        total = tl.sum(tl.load(part_ptr + k, mask=k < parts, other=0.0), axis=0)
        tl.store(out_ptr, tl.sqrt(total))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        parts = triton.cdiv(x.numel(), 1024)
        partial = torch.empty(parts, device=x.device, dtype=torch.float32)
        count = torch.zeros(1, device=x.device, dtype=torch.int32)
        out = torch.empty((), device=x.device, dtype=x.dtype)
        norm_kernel[(parts,)](x, partial, count, out, x.numel(), parts, BLOCK=1024, PARTS=triton.next_power_of_2(parts))
        return out
