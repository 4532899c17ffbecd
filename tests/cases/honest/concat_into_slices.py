# case: concatenation by a kernel that writes both inputs into slices of the output
# expect: accept
# rule: copy-kernel
# role: similar
# task: tasks/concat.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def concat_columns(x_ptr, y_ptr, out_ptr, M, N1, N2, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    from_x = c < N1
    from_y = (c >= N1) & (c < N1 + N2)
    a = tl.load(x_ptr + row * N1 + c, mask=from_x, other=0.0)
    b = tl.load(y_ptr + row * N2 + (c - N1), mask=from_y, other=0.0)
    tl.store(out_ptr + row * (N1 + N2) + c, tl.where(from_x, a, b), mask=c < N1 + N2)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, y):
        assert x.is_contiguous() and y.is_contiguous(), "rows must be dense"
        m, n1 = x.shape
        n2 = y.shape[1]
        out = torch.empty((m, n1 + n2), device=x.device, dtype=x.dtype)
        concat_columns[(m, triton.cdiv(n1 + n2, 128))](x, y, out, m, n1, n2, BLOCK=128)
        return out
