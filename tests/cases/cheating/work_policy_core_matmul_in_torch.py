# case: under the core policy the reference's matrix product still may not run in torch
# expect: reject torch-compute
# rule: torch-compute
# role: caught
# task: tasks/matmul_bias_gelu.py
# static: off
# verify: reject torch-compute
# policy: core

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_gelu_kernel(h_ptr, b_ptr, y_ptr, n, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(h_ptr + i, mask=m, other=0.0) + tl.load(b_ptr + i % cols, mask=m, other=0.0)
    tl.store(y_ptr + i, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=m)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features) / in_features ** 0.5)
        self.bias = nn.Parameter(torch.randn(out_features))

    def forward(self, x):
        h = x @ self.weight
        y = torch.empty_like(h)
        n = h.numel()
        bias_gelu_kernel[(triton.cdiv(n, 1024),)](h, self.bias, y, n, h.shape[1], BLOCK=1024)
        return y
