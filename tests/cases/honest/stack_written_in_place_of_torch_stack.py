# case: a data movement task done by kernels into views of a fresh buffer, with no torch copy
# expect: accept
# rule: copy-counts
# role: similar
# task: tasks/stack.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def place_matrix(src_ptr, dst_ptr, M, N, s_m, s_n, d_m, d_n,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    mask = (m < M) & (n < N)
    tile = tl.load(src_ptr + m * s_m + n * s_n, mask=mask)
    tl.store(dst_ptr + m * d_m + n * d_n, tile, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b, c):
        sources = (a, b, c)
        m, n = a.shape
        out = torch.empty((len(sources), m, n), dtype=a.dtype, device=a.device)
        grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
        for index, source in enumerate(sources):
            slot = out[index]
            place_matrix[grid](source, slot, m, n, source.stride(0), source.stride(1),
                               slot.stride(0), slot.stride(1), BLOCK_M=32, BLOCK_N=32)
        return out
