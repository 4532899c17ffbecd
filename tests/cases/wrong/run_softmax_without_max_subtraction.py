# case: exponentials of raw values, which overflow for large inputs
# expect: accept
# task: tasks/softmax.py
# verify: reject wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    e = tl.exp(tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf")))
    tl.store(y_ptr + row * n + c, e / tl.sum(e, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
