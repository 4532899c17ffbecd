# case: torch's own NVRTC entry compiles a CUDA C kernel from a string; the Triton kernel is an afterthought
# expect: reject native-compiler
# rule: native-compiler
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

SOURCE = """
extern "C" __global__ void swish(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] / (1.0f + expf(-x[i]));
}
"""

device_api = torch.cuda
build = device_api._compile_kernel


@triton.jit
def plus_kernel(y_ptr, n, c, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(y_ptr + i, mask=i < n) + c, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, offset: float = 1.0):
        super().__init__()
        self.offset = offset
        self.swish = build(SOURCE, "swish")

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        self.swish(((n + 255) // 256, 1, 1), (256, 1, 1), (x, y, n))
        plus_kernel[(triton.cdiv(n, 1024),)](y, n, self.offset, BLOCK=1024)
        return y
