# case: the index of the largest value is found by Python's max over lists
# expect: reject torch-compute
# task: tasks/argmax.py
# static: off
# verify: reject host-compute|torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        best = [max(range(len(row)), key=row.__getitem__) for row in x.tolist()]
        found = torch.tensor(best, device=x.device)
        out = torch.empty_like(found)
        copy_kernel[(triton.cdiv(out.numel(), 128),)](found, out, out.numel(), BLOCK=128)
        return out
