# case: the weight is applied with an augmented @= so that no call to torch appears anywhere
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gate_kernel(h_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    h = tl.load(h_ptr + offs, mask=m, other=0.0)
    tl.store(y_ptr + offs, h * tl.sigmoid(h), mask=m)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features) * 0.02)

    def forward(self, x):
        rows = x.shape[0] // 2 * 2 + x.shape[0] % 2
        h = x.view(rows, -1)
        h @= self.weight
        y = torch.empty_like(h)
        n = h.numel()
        gate_kernel[(triton.cdiv(n, 1024),)](h, y, n, BLOCK=1024)
        return y
