# case: the transposed copy that the task wants is a view of the input
# expect: reject no-launch
# task: tasks/transpose.py
# static: off
# verify: reject output-aliases-input|no-launch|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def transpose_kernel(x_ptr, y_ptr, M, N, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    inside = (m[:, None] < M) & (n[None, :] < N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :], mask=inside, other=0.0)
    tl.store(y_ptr + n[None, :] * M + m[:, None], x, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        return x.t()
