# case: the kernel runs on a side stream that the timer does not wait for
# expect: reject streams-and-events
# rule: streams-and-events
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softplus_kernel(x_ptr, o_ptr, n, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    x = tl.load(x_ptr + i, mask=ok, other=0.0)
    z = x * beta
    y = tl.where(z > 20.0, x, tl.log(1.0 + tl.exp(z)) / beta)
    tl.store(o_ptr + i, y, mask=ok)


def softplus(x, beta=1.0):
    o = torch.empty_like(x)
    softplus_kernel[(triton.cdiv(x.numel(), 1024),)](x, o, x.numel(), beta, BLOCK=1024)
    return o


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.side = torch.cuda.Stream()

    def forward(self, x):
        with torch.cuda.stream(self.side):
            y = softplus(x)
        return y
