# case: the values travel through Python lists, where math.exp computes
# expect: reject torch-compute
# task: tasks/logsumexp.py
# static: off
# verify: reject host-compute|torch-compute

import math

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


def lse(row):
    top = max(row)
    return top + math.log(math.fsum(math.exp(v - top) for v in row))


class ModelNew(nn.Module):
    def forward(self, x):
        values = torch.tensor([lse(row) for row in x.tolist()], device=x.device, dtype=x.dtype)
        out = torch.empty_like(values)
        copy_kernel[(triton.cdiv(out.numel(), 128),)](values, out, out.numel(), BLOCK=128)
        return out
