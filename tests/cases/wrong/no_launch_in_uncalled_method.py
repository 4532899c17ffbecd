# case: the launch is in a method that forward does not call
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def dropout_scale_kernel(x_ptr, y_ptr, n, keep, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x / keep, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, p=0.1):
        super().__init__()
        self.keep = 1.0 - p

    def run_kernel(self, x):
        y = torch.empty_like(x)
        dropout_scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), self.keep, BLOCK=1024)
        return y

    def forward(self, x):
        return x.view_as(x)
