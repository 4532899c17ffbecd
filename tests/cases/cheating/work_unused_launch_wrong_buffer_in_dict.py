# case: two buffers live in a dictionary, the kernel writes one and the other, filled through out=, is returned
# expect: reject launch-result-unused
# rule: launch-result-unused
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_rows_kernel(a_ptr, diag_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < n_cols
    d = tl.load(diag_ptr + row)
    a = tl.load(a_ptr + row * n_cols + cols, mask=mask)
    tl.store(out_ptr + row * n_cols + cols, d * a, mask=mask)


class ModelNew(nn.Module):
    """diag(A) @ B without building the diagonal matrix."""

    def __init__(self):
        super().__init__()

    def buffers_for(self, b):
        return dict(tiles=torch.empty_like(b), result=torch.empty_like(b))

    def forward(self, diag, b):
        buf = self.buffers_for(b)
        n, m = b.shape
        scale_rows_kernel[(n, triton.cdiv(m, 256))](b, diag, buf["tiles"], m, BLOCK=256)
        torch.mul(b, diag[:, None], out=buf["result"])
        return buf["result"]
