# case: kernels use dtypes kept in module constants, and the host maps torch dtypes to Triton's
# expect: accept
# rule: torch-in-kernel
# role: similar
# task: tasks/row_max.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

ACC = tl.constexpr(tl.float32)
NEG_INF = tl.constexpr(float("-inf"))
TL_DTYPE = {
    torch.float16: tl.float16,
    torch.bfloat16: tl.bfloat16,
    torch.float32: tl.float32,
}


@triton.jit
def row_max_kernel(x_ptr, out_ptr, n_cols, stride, OUT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((BLOCK,), NEG_INF, dtype=ACC)
    for start in tl.range(0, n_cols, BLOCK, num_stages=2):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < n_cols, other=NEG_INF)
        best = tl.maximum(best, x.to(ACC))
    tl.store(out_ptr + row, tl.max(best, axis=0).to(OUT))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.stride(-1) != 1:
            x = x.contiguous()
        out = torch.empty(x.size(0), dtype=x.dtype, device=x.device)
        row_max_kernel[(x.size(0),)](x, out, x.size(1), x.stride(0), OUT=TL_DTYPE[x.dtype], BLOCK=512)
        return out
