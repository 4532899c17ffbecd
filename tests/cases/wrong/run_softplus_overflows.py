# case: log(1 + exp(x)) is infinite where softplus is x
# expect: accept
# task: tasks/softplus.py
# verify: reject wrong-nan|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softplus_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.log(1.0 + tl.exp(x)), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softplus_kernel[(triton.cdiv(x.numel(), 512),)](x.contiguous(), y, x.numel(), BLOCK=512)
        return y
