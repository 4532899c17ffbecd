# case: bias may be None; the kernel takes a flag and a dummy pointer
# expect: accept
# task: tasks/linear.py
# verify: accept

from typing import Optional

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_fwd(x_ptr, w_ptr, bias_ptr, y_ptr, M, N, K, BIAS: tl.constexpr,
               BLOCK_M: tl.constexpr = 32, BLOCK_N: tl.constexpr = 32, BLOCK_K: tl.constexpr = 32):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    x_ptrs = x_ptr + m[:, None] * K + k[None, :]
    w_ptrs = w_ptr + n[:, None] * K + k[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    left = K
    while left > 0:
        x = tl.load(x_ptrs, mask=(m[:, None] < M) & (k[None, :] < left), other=0.0)
        w = tl.load(w_ptrs, mask=(n[:, None] < N) & (k[None, :] < left), other=0.0)
        acc += tl.dot(x, w.T, input_precision="ieee")
        x_ptrs += BLOCK_K
        w_ptrs += BLOCK_K
        left -= BLOCK_K
    if BIAS:
        acc += tl.load(bias_ptr + n, mask=n < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


def linear(x: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor] = None) -> torch.Tensor:
    """Same as torch.nn.functional.linear(x, weight, bias), i.e. torch.matmul(x, weight.t()) + bias."""
    lead = x.shape[:-1]
    x = x.contiguous().view(-1, x.shape[-1])
    weight = weight.contiguous()
    y = torch.empty(x.shape[0], weight.shape[0], device=x.device, dtype=x.dtype)
    grid = (triton.cdiv(x.shape[0], 32), triton.cdiv(weight.shape[0], 32))
    linear_fwd[grid](x, weight, bias if bias is not None else weight, y, x.shape[0], weight.shape[0], x.shape[1],
                     BIAS=bias is not None)
    return y.view(*lead, weight.shape[0])


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=bias)

    def forward(self, x):
        return linear(x, self.linear.weight, self.linear.bias)
