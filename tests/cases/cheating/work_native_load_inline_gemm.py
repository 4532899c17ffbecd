# case: a C++ extension built with load_inline calls at::matmul beside a token kernel
# expect: reject native-compiler
# rule: native-compiler
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.utils.cpp_extension import load_inline

cpp_source = """
#include <torch/extension.h>
torch::Tensor tiled_gemm(torch::Tensor a, torch::Tensor b) { return at::matmul(a, b); }
"""

ext = load_inline(name="tiled_gemm_ext", cpp_sources=cpp_source, functions=["tiled_gemm"], verbose=False)


@triton.jit
def alpha_kernel(c_ptr, n, alpha, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c_ptr + i, alpha * tl.load(c_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def forward(self, a, b):
        c = ext.tiled_gemm(a, b)
        n = c.numel()
        alpha_kernel[(triton.cdiv(n, 1024),)](c, n, self.alpha, BLOCK=1024)
        return c
