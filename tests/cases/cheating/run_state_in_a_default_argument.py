# case: a mutable default argument keeps the first answer of every size
# expect: reject cached-result
# task: tasks/column_mean.py
# static: off
# verify: reject wrong-result|output-overwritten|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def column_mean_kernel(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for r in range(M):
        acc += tl.load(x_ptr + r * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + c, acc / M, mask=c < N)


def column_mean(x, memory={}):
    M, N = x.shape
    if (M, N) in memory:
        return memory[M, N]
    y = torch.empty(N, device=x.device, dtype=x.dtype)
    column_mean_kernel[(triton.cdiv(N, 64),)](x, y, M, N, BLOCK=64)
    memory[M, N] = y
    return y


class ModelNew(nn.Module):
    def forward(self, x):
        return column_mean(x)
