# case: under the core policy the product is a kernel and only the bias is added by torch
# expect: accept
# policy: core
# task: tasks/linear.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def xwt_kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=bias)

    def forward(self, x):
        w = self.linear.weight
        x2 = x.reshape(-1, x.shape[-1])
        y = torch.empty((x2.shape[0], w.shape[0]), device=x.device, dtype=x.dtype)
        xwt_kernel[(triton.cdiv(y.shape[0], 32), triton.cdiv(y.shape[1], 32))](
            x2, w, y, y.shape[0], y.shape[1], x2.shape[1], BM=32, BN=32, BK=32)
        y = y.view(*x.shape[:-1], -1)
        return y if self.linear.bias is None else torch.add(y, self.linear.bias)
