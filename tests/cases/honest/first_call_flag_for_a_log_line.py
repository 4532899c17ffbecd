# case: a flag remembers that a message was logged; the computation is the same on every call
# expect: accept
# rule: call-state
# role: similar
# task: tasks/row_max.py
# verify: accept

import warnings

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_max_2d(x_ptr, out_ptr, M, N, sm, sn, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    best = tl.full([BM], float("-inf"), tl.float32)
    for n0 in range(0, N, BN):
        cols = n0 + tl.arange(0, BN)
        mask = (rows < M)[:, None] & (cols < N)[None, :]
        x = tl.load(x_ptr + rows[:, None] * sm + cols[None, :] * sn, mask=mask, other=float("-inf"))
        best = tl.maximum(best, tl.max(x, axis=1))
    tl.store(out_ptr + rows, best, mask=rows < M)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self._warned = False

    def forward(self, x):
        m, n = x.shape
        if x.stride(1) != 1 and not self._warned:
            warnings.warn("strided rows: loads will not be coalesced")
            self._warned = True
        out = torch.empty((m,), device=x.device, dtype=x.dtype)
        row_max_2d[(triton.cdiv(m, 16),)](x, out, m, n, x.stride(0), x.stride(1), BM=16, BN=64)
        return out
