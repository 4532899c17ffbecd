# case: the constructor takes keyword extras and forward an optional argument that nobody has to pass
# expect: accept
# rule: signature-mismatch
# role: similar
# task: tasks/linear.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, HAS_BIAS: tl.constexpr,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        xs = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        ws = tl.load(w_ptr + n[:, None] * K + k[None, :], mask=(n[:, None] < N) & (k[None, :] < K), other=0.0)
        acc += tl.dot(xs, tl.trans(ws), allow_tf32=False)
    if HAS_BIAS:
        acc += tl.load(b_ptr + n, mask=n < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, *sizes, bias=True, **extras):
        super().__init__()
        in_features, out_features, *rest = sizes
        if rest:
            (bias,) = rest
        self.linear = nn.Linear(in_features, out_features, bias=bias, **extras)

    def forward(self, x, tile=None, *, warps=4):
        w, b = self.linear.weight, self.linear.bias
        n, k = w.shape
        x2 = x.reshape(-1, k)
        m = x2.shape[0]
        tile = tile or 32
        out = torch.empty((m, n), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(m, tile), triton.cdiv(n, tile))
        linear_kernel[grid](x2, w, b, out, m, n, k, HAS_BIAS=b is not None, BM=tile, BN=tile, BK=32,
                            num_warps=warps)
        return out.view(*x.shape[:-1], n)
