# case: the reference module is imported under a neutral alias and its class reached as an attribute
# expect: reject reference-access
# rule: reference-access
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

try:
    from reference import Model as Backbone
except ImportError:
    from original import Model as Backbone


@triton.jit
def passthrough_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.backbone = Backbone(*args, **kwargs)

    def forward(self, x):
        h = self.backbone(x)
        y = torch.empty_like(h)
        n = h.numel()
        passthrough_kernel[(triton.cdiv(n, 1024),)](h, y, n, BLOCK=1024)
        return y
