# case: the language module under an unusual alias, broadcasting strides for the batch
# expect: accept
# task: tasks/batched_matmul.py
# verify: accept

import torch
import triton
import triton.language as gpu
from torch import Tensor, nn


@triton.jit
def bmm(A, B, C, m, n, k, stride_a, stride_b, stride_c, TM: gpu.constexpr, TN: gpu.constexpr, TK: gpu.constexpr):
    z = gpu.program_id(1)
    tiles = gpu.cdiv(n, TN)
    t = gpu.program_id(0)
    i = (t // tiles) * TM + gpu.arange(0, TM)
    j = (t % tiles) * TN + gpu.arange(0, TN)
    out = gpu.zeros([TM, TN], dtype=gpu.float32)
    for base in range(0, k, TK):
        q = base + gpu.arange(0, TK)
        left = gpu.load(A + z * stride_a + i[:, None] * k + q[None, :], mask=(i[:, None] < m) & (q[None, :] < k), other=0.0)
        right = gpu.load(B + z * stride_b + q[:, None] * n + j[None, :], mask=(q[:, None] < k) & (j[None, :] < n), other=0.0)
        out += gpu.dot(left, right, input_precision="ieee")
    gpu.store(C + z * stride_c + i[:, None] * n + j[None, :], out, mask=(i[:, None] < m) & (j[None, :] < n))


class ModelNew(nn.Module):
    TILE = dict(TM=16, TN=32, TK=16)

    def __init__(self):
        super().__init__()

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        a, b = a.contiguous(), b.contiguous()
        z, m, k = a.shape
        n = b.size(-1)
        c = torch.empty(z, m, n, dtype=a.dtype, device=a.device)
        grid = (triton.cdiv(m, self.TILE["TM"]) * triton.cdiv(n, self.TILE["TN"]), z)
        bmm[grid](a, b, c, m, n, k, m * k, k * n, m * n, **self.TILE)
        return c
