# case: every dispatch and function mode is popped, torch computes, and the modes are pushed back
# expect: reject dispatch-tampering
# task: tasks/row_std.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.utils._python_dispatch import _get_current_dispatch_mode, _pop_mode, _push_mode


@triton.jit
def root_kernel(v_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.sqrt(tl.load(v_ptr + i, mask=i < n, other=0.0)), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        stack = []
        while _get_current_dispatch_mode() is not None:
            stack.append(_pop_mode())
        try:
            var = torch.var(x, dim=1)
        finally:
            for mode in reversed(stack):
                _push_mode(mode)
        y = torch.empty_like(var)
        root_kernel[(triton.cdiv(y.numel(), 128),)](var, y, y.numel(), BLOCK=128)
        return y
