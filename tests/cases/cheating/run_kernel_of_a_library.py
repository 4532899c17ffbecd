# case: the product is a kernel that torch ships, and the candidate's own only doubles
# expect: reject library-kernel
# task: tasks/batched_product_doubled.py
# verify: reject library-kernel
# static: off

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.sparse._triton_ops import _scatter_mm2_kernel as product


@triton.jit
def elt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, x * 2.0, mask=at < n)


def elt(x):
    y = torch.empty_like(x)
    elt_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def forward(self, a, b):
        n, M, K = a.shape
        N = b.shape[2]
        t = torch.empty((n, M, N), device=a.device)
        off = torch.arange(n + 1, device=a.device)
        pq = torch.stack((off[:n], off[:n]), 1)
        grid = (n, triton.cdiv(M, 16) * triton.cdiv(N, 16))
        product[grid](M, K, N, a, *a.stride(), b, *b.stride(), t, *t.stride(), off, *off.stride(), pq, *pq.stride(),
                      dot_out_dtype=tl.float32, TILE_M=16, TILE_N=16, allow_tf32=True)
        return elt(t)
