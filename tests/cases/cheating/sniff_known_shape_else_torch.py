# case: the kernel serves only the published shape and torch computes every other one
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_shift_4096(x_ptr, g_ptr, b_ptr, y_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * 4096 + c)
    g = tl.load(g_ptr + c)
    b = tl.load(b_ptr + c)
    tl.store(y_ptr + row * 4096 + c, x * g + b)


class ModelNew(nn.Module):
    def __init__(self, dim=4096):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))
        self.shift = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        if tuple(x.shape) == (2048, 4096):
            y = torch.empty_like(x)
            scale_shift_4096[(2048,)](x, self.gain, self.shift, y, BLOCK=4096, num_warps=8)
            return y
        return torch.addcmul(self.shift, x, self.gain)
