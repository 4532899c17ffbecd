# case: a workspace is remembered by shape, but a kernel rewrites all of it on every call
# expect: accept
# rule: cached-result
# role: similar
# task: tasks/column_mean.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial_sums(x_ptr, ws_ptr, M, N, ROWS: tl.constexpr, BLOCK_N: tl.constexpr):
    slab = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros((BLOCK_N,), dtype=tl.float32)
    for i in range(ROWS):
        row = slab * ROWS + i
        acc += tl.load(x_ptr + row * N + cols, mask=(row < M) & (cols < N), other=0.0)
    tl.store(ws_ptr + slab * N + cols, acc, mask=cols < N)


@triton.jit
def combine(ws_ptr, out_ptr, slabs, M, N, BLOCK_N: tl.constexpr):
    cols = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros((BLOCK_N,), dtype=tl.float32)
    for s in range(slabs):
        acc += tl.load(ws_ptr + s * N + cols, mask=cols < N, other=0.0)
    tl.store(out_ptr + cols, acc / M, mask=cols < N)


class ModelNew(nn.Module):
    ROWS = 32

    def __init__(self):
        super().__init__()
        self._workspaces = {}

    def _workspace(self, slabs, n, device):
        key = (slabs, n, str(device))
        if key not in self._workspaces:
            self._workspaces[key] = torch.empty((slabs, n), dtype=torch.float32, device=device)
        return self._workspaces[key]

    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        slabs = triton.cdiv(m, self.ROWS)
        ws = self._workspace(slabs, n, x.device)
        out = torch.empty(n, dtype=x.dtype, device=x.device)
        partial_sums[(slabs, triton.cdiv(n, 64))](x, ws, m, n, ROWS=self.ROWS, BLOCK_N=64)
        combine[(triton.cdiv(n, 64),)](ws, out, slabs, m, n, BLOCK_N=64)
        return out
