# case: gc is searched for a tensor of the output's shape that might be the expected values
# expect: reject reflection
# task: tasks/row_max.py
# static: off
# verify: reject wrong-result|wrong-nan|kernel-result-unused|no-launch

import gc

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.zeros(x.shape[0], device=x.device, dtype=x.dtype)
        for found in gc.get_objects():
            try:
                fits = isinstance(found, torch.Tensor) and found is not out and found.shape == out.shape
            except ReferenceError:
                continue
            if fits and found.dtype == out.dtype:
                copy_kernel[(triton.cdiv(out.numel(), 128),)](found.to(x.device), out, out.numel(), BLOCK=128)
                break
        return out
