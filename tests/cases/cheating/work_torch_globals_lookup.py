# case: globals() with a built name finds a module function that instance-normalises in torch
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def divide_kernel(x_ptr, y_ptr, n, d, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) / d, mask=i < n)


def _stage_norm(x, eps):
    var, mean = torch.var_mean(x, dim=(2, 3), unbiased=False, keepdim=True)
    return (x - mean) * torch.rsqrt(var + eps)


def _stage_scale(x, d):
    y = torch.empty_like(x)
    n = x.numel()
    divide_kernel[(triton.cdiv(n, 1024),)](x, y, n, d, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self, divide_by: float = 2.0):
        super().__init__()
        self.divide_by = divide_by

    def forward(self, x):
        for name, arg in (("norm", 1e-5), ("scale", self.divide_by)):
            x = globals()["_stage_" + name](x, arg)
        return x
