# case: the kernel writes a clone of the output, forward returns the original
# expect: reject launch-result-unused
# rule: launch-result-unused
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_bias_kernel(x_ptr, b_ptr, o_ptr, C, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * C + c, mask=c < C)
    b = tl.load(b_ptr + c, mask=c < C)
    tl.store(o_ptr + r * C + c, x + b, mask=c < C)


def add_bias(x, b, out):
    R, C = x.shape
    target = out.clone()
    add_bias_kernel[(R,)](x, b, target, C, BLOCK=triton.next_power_of_2(C))


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(channels))

    def forward(self, x):
        out = torch.empty_like(x)
        add_bias(x, self.bias, out)
        return out
