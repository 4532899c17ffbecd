# case: a fixed set of programs walks over the tiles of a bfloat16 linear layer
# expect: accept
# task: tasks/linear_bf16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def persistent_linear(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, tiles_n, tiles,
                      BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        m = (tile // tiles_n) * BM + tl.arange(0, BM)
        n = (tile % tiles_n) * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for start in range(0, K, BK):
            k = start + tl.arange(0, BK)
            x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
            w = tl.load(w_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
            acc = tl.dot(x, w, acc)
        acc += tl.load(b_ptr + n, mask=n < N, other=0.0).to(tl.float32)[None, :]
        tl.store(y_ptr + m[:, None] * N + n[None, :], acc.to(tl.bfloat16), mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features).to(torch.bfloat16)

    def forward(self, x):
        x = x.contiguous()
        M, K = x.shape
        N = self.linear.out_features
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        tiles_n = triton.cdiv(N, 32)
        tiles = triton.cdiv(M, 16) * tiles_n
        persistent_linear[(min(tiles, 4),)](x, self.linear.weight, self.linear.bias, y, M, N, K, tiles_n, tiles,
                                            BM=16, BN=32, BK=32)
        return y
