# case: activations are called as if tl were torch.nn.functional
# expect: reject unknown-triton-api
# rule: unknown-triton-api
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def act_kernel(x_ptr, y_ptr, n, MODE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    if MODE == "relu":
        y = tl.relu(x)
    else:
        y = tl.gelu(x)
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, mode="gelu"):
        super().__init__()
        self.mode = mode

    def forward(self, x):
        y = torch.empty_like(x)
        act_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), MODE=self.mode, BLOCK=512)
        return y
