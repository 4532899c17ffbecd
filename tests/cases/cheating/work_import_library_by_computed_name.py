# case: a kernel library is loaded by importlib with its name folded from two literals
# expect: reject forbidden-import
# rule: forbidden-import
# role: disguised

from importlib import import_module as _bind

import torch
import torch.nn as nn
import triton
import triton.language as tl

_pkg = "liger_" "kernel"
LigerRMSNorm = _bind(f"{_pkg}.transformers.rms_norm").LigerRMSNorm


@triton.jit
def residual_add_kernel(x_ptr, r_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o_ptr + i, tl.load(x_ptr + i, mask=m) + tl.load(r_ptr + i, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self, hidden: int):
        super().__init__()
        self.norm = LigerRMSNorm(hidden)

    def forward(self, x, residual):
        s = torch.empty_like(x)
        n = x.numel()
        residual_add_kernel[(triton.cdiv(n, 1024),)](x, residual, s, n, BLOCK=1024)
        return self.norm(s)
