"""The matrix product and the bias in a kernel, GELU left to torch. Solves tests/cases/tasks/matmul_bias_gelu.py.

Rejected under the strict policy (torch computes), accepted under --policy core: GELU is no main operator of that task.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def matmul_bias_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    columns = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        x_columns = start + tl.arange(0, BK)[None, :]
        w_rows = start + tl.arange(0, BK)[:, None]
        x = tl.load(x_ptr + rows * K + x_columns, mask=(rows < M) & (x_columns < K), other=0.0)
        w = tl.load(w_ptr + w_rows * N + columns, mask=(w_rows < K) & (columns < N), other=0.0)
        total += tl.dot(x, w, input_precision="ieee")
    total += tl.load(b_ptr + columns, mask=columns < N, other=0.0)
    tl.store(y_ptr + rows * N + columns, total, mask=(rows < M) & (columns < N))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features) / in_features**0.5)
        self.bias = nn.Parameter(torch.randn(out_features))

    def forward(self, x):
        x = x.contiguous()
        (M, K), N = x.shape, self.weight.shape[1]
        y = torch.empty((M, N), dtype=x.dtype, device=x.device)
        grid = (triton.cdiv(M, 32), triton.cdiv(N, 32))
        matmul_bias_kernel[grid](x, self.weight, self.bias, y, M, N, K, BM=32, BN=32, BK=32)
        return F.gelu(y)
