# case: the launch passes 768, the hidden size, as the length of tl.arange
# expect: reject arange-size
# rule: arange-size
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

HIDDEN = 768


@triton.jit
def rms_kernel(x_ptr, g_ptr, y_ptr, eps, D: tl.constexpr):
    r = tl.program_id(0)
    d = tl.arange(0, D)
    x = tl.load(x_ptr + r * D + d)
    g = tl.load(g_ptr + d)
    rms = tl.sqrt(tl.sum(x * x, axis=0) / D + eps)
    tl.store(y_ptr + r * D + d, x / rms * g)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(HIDDEN))

    def forward(self, x):
        y = torch.empty_like(x)
        rms_kernel[(x.numel() // HIDDEN,)](x, self.gain, y, 1e-6, D=HIDDEN)
        return y
