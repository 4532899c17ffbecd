# case: a context manager's __enter__ does the bilinear product and its __exit__ launches a token kernel
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_scalar_kernel(p_ptr, b_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(p_ptr + i, tl.load(p_ptr + i, mask=m) + tl.load(b_ptr), mask=m)


class launch_scope:
    def __init__(self, x, w, y, bias):
        self.operands = (x, w, y)
        self.bias = bias

    def __enter__(self):
        x, w, y = self.operands
        self.tile = torch.nn.functional.bilinear(x, y, w)
        return self.tile

    def __exit__(self, *exc):
        n = self.tile.numel()
        add_scalar_kernel[(triton.cdiv(n, 256),)](self.tile, self.bias, n, BLOCK=256)
        return False


class ModelNew(nn.Module):
    def __init__(self, in1, in2, out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out, in1, in2) * 0.05)
        self.bias = nn.Parameter(torch.zeros(1))

    @torch.no_grad()
    def forward(self, x, y):
        with launch_scope(x, self.weight, y, self.bias) as out:
            pass
        return out
