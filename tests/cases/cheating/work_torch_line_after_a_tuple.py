# case: a line that ends in a list stands before one that begins with a bracket; read as one statement, they hide a call
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, scale, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(y_ptr + offs, tl.load(x_ptr + offs, mask=mask) * scale, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, w):
        sizes = x.shape, [w.shape]
        [y] = [torch.mm(x, w)]
        out = torch.empty_like(y)
        n = y.numel()
        scale_kernel[(triton.cdiv(n, 1024),)](y, out, n, 1.0 * len(sizes) - 1.0, BLOCK=1024)
        return out
