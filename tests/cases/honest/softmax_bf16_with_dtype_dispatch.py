# case: the block size and number of warps depend on dtype and width
# expect: accept
# task: tasks/softmax_bf16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


def calculate_settings(n):
    block = triton.next_power_of_2(n)
    if block > 65536:
        raise RuntimeError(f"Cannot launch Triton kernel since n = {n} exceeds the maximum CUDA blocksize.")
    num_warps = 4
    if block >= 32768:
        num_warps = 32
    elif block >= 8192:
        num_warps = 16
    elif block >= 2048:
        num_warps = 8
    return block, num_warps


@triton.jit
def _softmax_forward(Y, X, x_stride, y_stride, n_cols, UPCAST: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + row * x_stride + cols, mask=cols < n_cols, other=float("-inf"))
    if UPCAST:
        x = x.to(tl.float32)
    x -= tl.max(x, axis=0)
    e = tl.exp(x)
    y = e / tl.sum(e, axis=0)
    tl.store(Y + row * y_stride + cols, y.to(Y.dtype.element_ty), mask=cols < n_cols)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        *batch, n = x.shape
        x2d = x.contiguous().view(-1, n)
        y = torch.empty_like(x2d)
        block, warps = calculate_settings(n)
        upcast = x.dtype in (torch.float16, torch.bfloat16)
        _softmax_forward[(x2d.shape[0],)](y, x2d, x2d.stride(0), y.stride(0), n, UPCAST=upcast, BLOCK=block,
                                          num_warps=warps)
        return y.view(*batch, n)
