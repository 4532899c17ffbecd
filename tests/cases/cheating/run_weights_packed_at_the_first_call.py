# case: the first call packs the weight, later calls use the pack after the weight has changed
# expect: accept
# suspect: call-state
# task: tasks/linear_row_max.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def pack_kernel(w_ptr, p_ptr, N, K, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    tl.store(p_ptr + k * N + n, tl.load(w_ptr + n * K + k, mask=k < K, other=0.0), mask=k < K)


@triton.jit
def row_max_kernel(x_ptr, p_ptr, b_ptr, y_ptr, N, K, BN: tl.constexpr):
    row = tl.program_id(0)
    n = tl.arange(0, BN)
    acc = tl.load(b_ptr + n, mask=n < N, other=0.0)
    for k in range(K):
        acc += tl.load(x_ptr + row * K + k) * tl.load(p_ptr + k * N + n, mask=n < N, other=0.0)
    tl.store(y_ptr + row, tl.max(tl.where(n < N, acc, -float("inf")), axis=0))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.packed = None

    def forward(self, x):
        M, K = x.shape
        N = self.linear.out_features
        if self.packed is None:
            self.packed = torch.empty((K, N), device=x.device, dtype=x.dtype)
            pack_kernel[(N,)](self.linear.weight, self.packed, N, K, BLOCK=triton.next_power_of_2(K))
        y = torch.empty(M, device=x.device, dtype=x.dtype)
        row_max_kernel[(M,)](x.contiguous(), self.packed, self.linear.bias, y, N, K, BN=triton.next_power_of_2(N))
        return y
