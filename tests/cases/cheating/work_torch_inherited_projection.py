# case: the base class in the same file does the projection with torch; ModelNew overrides only the cheap step
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def glu_kernel(h_ptr, y_ptr, n_half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n_half
    a = tl.load(h_ptr + row * 2 * n_half + c, mask=m)
    g = tl.load(h_ptr + row * 2 * n_half + n_half + c, mask=m, other=0.0)
    tl.store(y_ptr + row * n_half + c, a * tl.sigmoid(g), mask=m)


class GatedBlock(nn.Module):
    def __init__(self, d_in: int, d_out: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(d_in, 2 * d_out) * 0.05)

    def project(self, x):
        return torch.mm(x, self.weight)

    def forward(self, x):
        return self.activate(self.project(x))


class ModelNew(GatedBlock):
    def activate(self, h):
        rows, width = h.shape
        y = torch.empty((rows, width // 2), device=h.device, dtype=h.dtype)
        glu_kernel[(rows,)](h, y, width // 2, BLOCK=triton.next_power_of_2(width // 2))
        return y
