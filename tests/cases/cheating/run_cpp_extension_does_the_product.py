# case: a C++ extension is compiled in forward and multiplies with at::mm
# expect: reject native-compiler
# task: tasks/matmul_small.py
# static: off
# verify: reject run-error|forbidden-call|process-limit|torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


SOURCE = "torch::Tensor product(torch::Tensor a, torch::Tensor b) { return at::mm(a, b); }"


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.native = None

    def forward(self, a, b):
        if self.native is None:
            from torch.utils.cpp_extension import load_inline
            self.native = load_inline(name="fast_product", cpp_sources=SOURCE, functions=["product"])
        product = self.native.product(a, b)
        out = torch.empty_like(product)
        copy_kernel[(triton.cdiv(out.numel(), 1024),)](product, out, out.numel(), BLOCK=1024)
        return out
