# case: a hundred million programs, of which all but a few have nothing to do
# expect: accept
# task: tasks/relu.py
# verify: reject step-limit|step-budget|time-limit|run-error
# cuda: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu_kernel[(10**8,)](x, y, x.numel(), BLOCK=1024)
        return y
