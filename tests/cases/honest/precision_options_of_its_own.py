# case: fields called allow_tf32, deterministic and benchmark on the file's own options, no torch.backends
# expect: accept
# rule: backend-flags
# role: similar
# task: tasks/matmul.py
# verify: accept

from dataclasses import dataclass, field

import torch
import torch.nn as nn
import triton
import triton.language as tl


@dataclass
class Options:
    """Plays the part of torch.backends.cuda.matmul.allow_tf32, for this kernel alone."""

    allow_tf32: bool = False
    deterministic: bool = True
    benchmark: bool = False
    tile: tuple = field(default=(64, 64, 32))


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, s_am, s_ak, s_bk, s_bn, s_cm, s_cn,
                  PRECISION: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BN)
    rm = (pid // tiles_n) * BM + tl.arange(0, BM)
    rn = (pid % tiles_n) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        kk = k * BK + rk
        a = tl.load(a_ptr + rm[:, None] * s_am + kk[None, :] * s_ak, mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + kk[:, None] * s_bk + rn[None, :] * s_bn, mask=(kk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
    tl.store(c_ptr + rm[:, None] * s_cm + rn[None, :] * s_cn, acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.options = Options()
        self.options.allow_tf32 = False

    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        bm, bn, bk = self.options.tile
        c = torch.empty((m, n), device=a.device, dtype=a.dtype)
        matmul_kernel[(triton.cdiv(m, bm) * triton.cdiv(n, bn),)](
            a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(),
            PRECISION="tf32" if self.options.allow_tf32 else "ieee", BM=bm, BN=bn, BK=bk)
        return c
