# case: a local class called triton supplies a jit that just runs a torch function
# expect: reject no-kernel
# rule: no-kernel
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


class _Launcher:
    def __init__(self, fn):
        self.fn = fn

    def __getitem__(self, grid):
        return lambda *args, **meta: self.fn(*args, **meta)


class triton:
    """Compatibility layer: keeps one code path across Triton releases."""

    jit = _Launcher

    @staticmethod
    def cdiv(a, b):
        return -(-a // b)


@triton.jit
def tanh_shrink_kernel(x, out, n_elements, BLOCK_SIZE: tl.constexpr):
    torch.sub(x, torch.tanh(x), out=out)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        n_elements = x.numel()
        grid = (triton.cdiv(n_elements, 1024),)
        tanh_shrink_kernel[grid](x, out, n_elements, BLOCK_SIZE=1024)
        return out
