# case: torch.compile makes the kernel
# expect: reject torch-compile
# task: tasks/hardswish.py
# static: off
# verify: reject torch-compute|run-error|forbidden-call|no-launch|process-limit

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


@torch.compile
def hardswish(x):
    return x * torch.clamp(x + 3.0, 0.0, 6.0) / 6.0


class ModelNew(nn.Module):
    def forward(self, x):
        y = hardswish(x)
        out = torch.empty_like(y)
        copy_kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
        return out
