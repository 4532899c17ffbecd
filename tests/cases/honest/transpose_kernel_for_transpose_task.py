# case: a kernel that only copies, for a task that only copies
# expect: accept
# rule: copy-kernel
# role: similar
# task: tasks/transpose.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"TILE": 32}, num_warps=4),
        triton.Config({"TILE": 64}, num_warps=8),
    ],
    key=["M", "N"],
)
@triton.jit
def transpose_kernel(src, dst, M, N, src_m, src_n, dst_n, dst_m, TILE: tl.constexpr):
    m = tl.program_id(0) * TILE + tl.arange(0, TILE)
    n = tl.program_id(1) * TILE + tl.arange(0, TILE)
    tile = tl.load(src + m[:, None] * src_m + n[None, :] * src_n, mask=(m[:, None] < M) & (n[None, :] < N))
    tl.store(dst + n[:, None] * dst_n + m[None, :] * dst_m, tl.trans(tile), mask=(n[:, None] < N) & (m[None, :] < M))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        M, N = x.shape
        out = torch.empty((N, M), device=x.device, dtype=x.dtype)
        grid = lambda META: (triton.cdiv(M, META["TILE"]), triton.cdiv(N, META["TILE"]))
        transpose_kernel[grid](x, out, M, N, x.stride(0), x.stride(1), out.stride(0), out.stride(1))
        return out
