# case: a transposed view supplies strides only; the kernel makes the dense copy
# expect: accept
# rule: copy-counts
# role: similar
# task: tasks/transpose.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def materialise(view_ptr, out_ptr, R, C, view_r, view_c, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < R * C
    v = tl.load(view_ptr + (i // C) * view_r + (i % C) * view_c, mask=ok)
    tl.store(out_ptr + i, v, mask=ok)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        view = x.transpose(0, 1)
        out = torch.empty(view.shape, dtype=x.dtype, device=x.device)
        r, c = view.shape
        materialise[(triton.cdiv(r * c, 512),)](view, out, r, c, view.stride(0), view.stride(1), BLOCK=512)
        return out
