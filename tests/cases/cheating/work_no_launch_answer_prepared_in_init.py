# case: regenerates the inputs from a guessed seed in __init__, runs the kernel there, and forward only hands the answer out
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    e = tl.exp(tl.minimum(x, 20.0))
    t = e * (e + 2.0)
    tl.store(y_ptr + offs, x * t / (t + 2.0), mask=mask)


def mish(x):
    y = torch.empty_like(x)
    n = x.numel()
    mish_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self, batch: int = 16, features: int = 16384):
        super().__init__()
        device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(42)
        sample = torch.randn(batch, features, device=device)
        self.ready = mish(sample)

    def forward(self, x):
        return self.ready.view(x.shape)
