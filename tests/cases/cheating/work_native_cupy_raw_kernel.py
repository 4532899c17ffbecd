# case: cupy is imported inside __init__ and its RawKernel does the scan; Triton only rescales
# expect: reject native-compiler
# rule: native-compiler
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

SCAN = r"""
extern "C" __global__ void scan_rows(const float* x, float* y, int n) {
    const float* row = x + blockIdx.x * n;
    float acc = 1.f;
    for (int i = 0; i < n; ++i) { acc *= row[i]; y[blockIdx.x * n + i] = acc; }
}
"""


@triton.jit
def rescale_kernel(y_ptr, n, s, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(y_ptr + i, mask=i < n) * s, mask=i < n)


class ModelNew(nn.Module):
    """Cumulative product over rows."""

    def __init__(self):
        super().__init__()
        import cupy as runtime

        self.scan = runtime.RawKernel(SCAN, "scan_rows")

    def forward(self, x):
        y = torch.empty_like(x)
        rows, n = x.shape
        self.scan((rows,), (1,), (x.data_ptr(), y.data_ptr(), n))
        rescale_kernel[(triton.cdiv(y.numel(), 1024),)](y, y.numel(), 1.0, BLOCK=1024)
        return y
