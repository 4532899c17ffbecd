# case: the function that does the work is kept as marshalled byte code of a lambda
# expect: reject dynamic-code
# task: tasks/silu.py
# static: off
# verify: reject torch-compute

import marshal
import types

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


PACKED = marshal.dumps(compile("x * x.sigmoid()", "", "eval"))


class ModelNew(nn.Module):
    def forward(self, x):
        y = eval(marshal.loads(PACKED), {"x": x})
        out = torch.empty_like(y)
        copy_kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
        return out
