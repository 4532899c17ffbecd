# case: torch.nn.functional is loaded through importlib and normalises; a kernel only applies the affine part
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import importlib

import torch
import torch.nn as nn
import triton
import triton.language as tl

ops = importlib.import_module("torch.nn." + "functional")


@triton.jit
def affine_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n_cols
    x = tl.load(x_ptr + row * n_cols + c, mask=m)
    w = tl.load(w_ptr + c, mask=m)
    b = tl.load(b_ptr + c, mask=m)
    tl.store(y_ptr + row * n_cols + c, x * w + b, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))

    def forward(self, x):
        cols = x.shape[-1]
        flat = ops.layer_norm(x, (cols,)).view(-1, cols)
        y = torch.empty_like(flat)
        affine_kernel[(flat.shape[0],)](flat, self.weight, self.bias, y, cols, BLOCK=triton.next_power_of_2(cols))
        return y.view(x.shape)
