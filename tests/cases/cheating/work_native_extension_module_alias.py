# case: the extension module is aliased and its loader fetched by a folded name inside a builder class
# expect: reject native-compiler
# rule: native-compiler
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.utils import cpp_extension as toolchain

CUDA_SOURCE = r"""
__global__ void avg3(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.f;
}
void avg3_launch(torch::Tensor x, torch::Tensor y) {
  avg3<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
"""


class Builder:
    entry = "_".join(["load", "inline"])

    def build(self):
        make = getattr(toolchain, self.entry)
        return make(
            name="avg3",
            cpp_sources="void avg3_launch(torch::Tensor x, torch::Tensor y);",
            cuda_sources=CUDA_SOURCE,
            functions=["avg3_launch"],
        )


@triton.jit
def edges_kernel(x_ptr, y_ptr, n):
    i = tl.program_id(0) * (n - 1)
    tl.store(y_ptr + i, tl.load(x_ptr + i))


class ModelNew(nn.Module):
    """Three-point moving average; the ends are copied."""

    def __init__(self):
        super().__init__()
        self.lib = Builder().build()

    def forward(self, x):
        y = torch.empty_like(x)
        self.lib.avg3_launch(x, y)
        edges_kernel[(2,)](x, y, x.numel())
        return y
