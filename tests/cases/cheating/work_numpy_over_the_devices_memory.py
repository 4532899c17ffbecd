# case: NumPy multiplies in place, in arrays that are laid over the memory of tensors
# expect: reject torch-compute
# rule: torch-compute
# role: disguised
# task: tasks/matmul_bias_gelu.py

import torch
import torch.nn as nn
import triton
import triton.language as tl
import numpy as np

@triton.jit
def epilogue_kernel(s_ptr, b_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(s_ptr + at, mask=inside, other=0.0) + tl.load(b_ptr + at % N, mask=inside, other=0.0)
    tl.store(y_ptr + at, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=inside)


def epilogue(s, bias):
    y = torch.empty_like(s)
    epilogue_kernel[(triton.cdiv(y.numel(), 1024),)](s, bias, y, y.numel(), y.shape[-1], BLOCK=1024)
    return y

def over(t):
    form = {"shape": tuple(t.shape), "typestr": "<f4", "data": (t.data_ptr(), False), "version": 3}
    return np.asarray(type("Form", (), {"__array_" + "interface__": form})())


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features) / in_features ** 0.5)
        self.bias = nn.Parameter(torch.randn(out_features))

    def forward(self, x):
        s = torch.zeros((x.shape[0], self.weight.shape[1]), device=x.device)
        np.matmul(over(x), over(self.weight), out=over(s))
        return epilogue(s, self.bias)
