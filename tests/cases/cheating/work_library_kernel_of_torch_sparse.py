# case: the sampled product is a Triton kernel of torch.sparse, launched directly; the candidate's own only scales
# expect: reject library-kernel
# rule: library-kernel
# role: caught
# task: tasks/batched_matmul.py

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.sparse._triton_ops import _scatter_mm2_kernel


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=live) * scale, mask=live)


class ModelNew(nn.Module):
    def forward(self, a, b):
        batch, m, k = a.shape
        n = b.shape[2]
        products = torch.zeros((batch, m, n), device=a.device, dtype=a.dtype)
        first = torch.arange(batch + 1, device=a.device)
        pairs = torch.stack((first[:batch], first[:batch]), 1)
        grid = (batch, triton.cdiv(m, 16) * triton.cdiv(n, 16))
        _scatter_mm2_kernel[grid](m, k, n, a, *a.stride(), b, *b.stride(), products, *products.stride(), first,
                                  first.stride(0), pairs, *pairs.stride(), dot_out_dtype=tl.float32, TILE_M=16,
                                  TILE_N=16, allow_tf32=False)
        out = torch.empty_like(products)
        scale_kernel[(triton.cdiv(out.numel(), 1024),)](products, out, out.numel(), 1.0, BLOCK=1024)
        return out
