# case: under the core policy the batched product hides in baddbmm with beta zero, applied per batch by a comprehension
# expect: reject torch-compute
# rule: torch-compute
# role: disguised
# task: tasks/batched_matmul.py
# static: off
# verify: reject torch-compute
# policy: core

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gather_kernel(src_ptr, dst_ptr, batch, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(src_ptr + i, mask=i < n, other=0.0)
    tl.store(dst_ptr + batch * n + i, v * 1.0, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        B, M, K = a.shape
        N = b.shape[2]
        out = torch.empty((B, M, N), device=a.device, dtype=a.dtype)
        panels = [out[:1].baddbmm(l[None], r[None], beta=0) for l, r in zip(a, b)]
        n = M * N
        for index, panel in enumerate(panels):
            gather_kernel[(triton.cdiv(n, 1024),)](panel, out, index, n, BLOCK=1024)
        return out
