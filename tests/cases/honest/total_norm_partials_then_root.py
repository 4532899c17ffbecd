# case: partial sums of squares, then one program that adds them and takes the root
# expect: accept
# task: tasks/total_norm.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def squares_kernel(x_ptr, part_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
    tl.store(part_ptr + pid, tl.sum(x * x, axis=0))


@triton.jit
def root_kernel(part_ptr, out_ptr, parts, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, parts, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        acc += tl.load(part_ptr + offs, mask=offs < parts, other=0.0)
    tl.store(out_ptr, tl.sqrt(tl.sum(acc, axis=0)))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        parts = triton.cdiv(x.numel(), 512)
        partial = torch.empty(parts, device=x.device, dtype=torch.float32)
        out = torch.empty((), device=x.device, dtype=x.dtype)
        squares_kernel[(parts,)](x, partial, x.numel(), BLOCK=512)
        root_kernel[(1,)](partial, out, parts, BLOCK=64)
        return out
