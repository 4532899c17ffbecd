# case: what is subtracted is the maximum of the first 2,048 columns only: large numbers behind them overflow
# expect: accept
# task: tasks/softmax_large.py
# verify: reject wrong-nan|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl
@triton.jit
def softmax_kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    top = tl.max(tl.load(x_ptr + row * N + at, mask=at < N, other=float("-inf")), 0)
    total = 0.0
    for k in range(0, N, BLOCK):
        at = k + tl.arange(0, BLOCK)
        total += tl.sum(tl.exp(tl.load(x_ptr + row * N + at, mask=at < N, other=float("-inf")) - top), 0)
    for k in range(0, N, BLOCK):
        at = k + tl.arange(0, BLOCK)
        v = tl.exp(tl.load(x_ptr + row * N + at, mask=at < N, other=float("-inf")) - top) / total
        tl.store(y_ptr + row * N + at, v, mask=at < N)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=2048)
        return y
