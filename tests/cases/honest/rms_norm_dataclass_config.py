# case: launch settings live in a frozen dataclass; several rows a program
# expect: accept
# task: tasks/rms_norm.py
# verify: accept

import dataclasses

import torch
import torch.nn as nn
import triton
import triton.language as tl


@dataclasses.dataclass(frozen=True)
class LaunchConfig:
    rows_per_program: int
    block: int
    num_warps: int = 4

    @staticmethod
    def for_width(n: int) -> "LaunchConfig":
        block = triton.next_power_of_2(n)
        return LaunchConfig(rows_per_program=max(1, 2048 // block), block=block, num_warps=max(1, min(8, block // 128)))

    def grid(self, rows: int):
        return (triton.cdiv(rows, self.rows_per_program),)


@triton.jit
def rms_norm_2d(x_ptr, w_ptr, y_ptr, M, N, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    mask = (r[:, None] < M) & (c[None, :] < N)
    offs = r[:, None] * N + c[None, :]
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    inv = tl.math.rsqrt(tl.sum(x * x, axis=1) / N + eps)
    w = tl.load(w_ptr + c, mask=c < N, other=0.0)
    tl.store(y_ptr + offs, x * inv[:, None] * w[None, :], mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps
        self.cfg = LaunchConfig.for_width(features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        n = x.shape[-1]
        m = x.numel() // n
        y = torch.empty_like(x)
        cfg = self.cfg if n <= self.cfg.block else LaunchConfig.for_width(n)
        rms_norm_2d[cfg.grid(m)](x, self.weight, y, m, n, self.eps, ROWS=cfg.rows_per_program, BLOCK=cfg.block,
                                 num_warps=cfg.num_warps)
        return y
