# case: attributes are assigned on self, on classes and on functions that the file defines
# expect: accept
# rule: patches-module
# role: similar
# task: tasks/batched_matmul.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


class Tiles:
    m = 16
    n = 16
    k = 16


Tiles.m = Tiles.n = 32
setattr(Tiles, "k", 32)


@triton.jit
def bmm_kernel(a_ptr, b_ptr, c_ptr, M, N, K,
               ab, am, ak, bb, bk, bn, cb, cm, cn,
               BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    batch = tl.program_id(2)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_ptrs = a_ptr + batch * ab + m[:, None] * am + k[None, :] * ak
    b_ptrs = b_ptr + batch * bb + k[:, None] * bk + n[None, :] * bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (k[None, :] + k0 < K), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] + k0 < K) & (n[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
        a_ptrs += BK * ak
        b_ptrs += BK * bk
    tl.store(c_ptr + batch * cb + m[:, None] * cm + n[None, :] * cn, acc, mask=(m[:, None] < M) & (n[None, :] < N))


def bmm(a, b):
    batch, m, k = a.shape
    n = b.shape[2]
    c = torch.empty((batch, m, n), device=a.device, dtype=a.dtype)
    bmm.last_shape = (batch, m, n, k)
    bmm_kernel[(triton.cdiv(m, Tiles.m), triton.cdiv(n, Tiles.n), batch)](
        a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), BM=Tiles.m, BN=Tiles.n, BK=Tiles.k)
    return c


bmm.last_shape = None


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ("m", "n", "k"):
            setattr(self, f"tile_{name}", getattr(Tiles, name))

    def forward(self, a, b):
        return bmm(a, b)
