# case: the product is an aten overload; the kernel only multiplies it by one
# expect: reject torch-compute
# task: tasks/matmul_small.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scale_kernel(x_ptr, y_ptr, n, alpha, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * alpha, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        product = torch.ops.aten.mm.default(a, b)
        out = torch.empty_like(product)
        scale_kernel[(triton.cdiv(out.numel(), 1024),)](product, out, out.numel(), 1.0, BLOCK=1024)
        return out
