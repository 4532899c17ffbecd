# case: persistent matmul: every program walks over several tiles
# expect: accept
# task: tasks/matmul.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _compute_pid(tile_id, num_pid_in_group, num_pid_m, GROUP_SIZE_M: tl.constexpr):
    group_id = tile_id // num_pid_in_group
    first_pid_m = group_id * GROUP_SIZE_M
    group_size_m = min(num_pid_m - first_pid_m, GROUP_SIZE_M)
    pid_m = first_pid_m + (tile_id % group_size_m)
    pid_n = (tile_id % num_pid_in_group) // group_size_m
    return pid_m, pid_n


@triton.jit
def matmul_persistent(a_ptr, b_ptr, c_ptr, M, N, K, am, ak, bk, bn, cm, cn,
                      BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
                      PROGRAMS: tl.constexpr):
    start_pid = tl.program_id(0)
    num_m = tl.cdiv(M, BM)
    num_n = tl.cdiv(N, BN)
    for tile_id in tl.range(start_pid, num_m * num_n, PROGRAMS):
        pid_m, pid_n = _compute_pid(tile_id, GROUP * num_n, num_m, GROUP)
        rm = pid_m * BM + tl.arange(0, BM)
        rn = pid_n * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for ki in range(tl.cdiv(K, BK)):
            rk = ki * BK + tl.arange(0, BK)
            a = tl.load(a_ptr + rm[:, None] * am + rk[None, :] * ak, mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
            b = tl.load(b_ptr + rk[:, None] * bk + rn[None, :] * bn, mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
            acc = tl.dot(a, b, acc, input_precision="ieee")
        tl.store(c_ptr + rm[:, None] * cm + rn[None, :] * cn, acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        with torch.no_grad():
            return self._launch(a.detach(), b.detach())

    def _launch(self, a, b):
        m, k = a.shape
        n = b.shape[-1]
        c = torch.empty(m, n, device=a.device, dtype=a.dtype)
        tiles = triton.cdiv(m, 32) * triton.cdiv(n, 32)
        programs = min(8, tiles)
        matmul_persistent[(programs,)](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(),
                                       BM=32, BN=32, BK=32, GROUP=2, PROGRAMS=programs)
        return c
