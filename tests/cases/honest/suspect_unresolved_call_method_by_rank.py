# case: a method name built from the tensor's rank picks the flattening helper
# expect: accept
# rule: unresolved-call
# role: disguised
# suspect: unresolved-call
# task: tasks/l2_normalize.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def l2_rows_kernel(x_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=0.0)
    norm = tl.sqrt(tl.sum(x * x, axis=0))
    tl.store(y_ptr + r * n + c, x / tl.maximum(norm, eps), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, eps: float = 1e-12):
        super().__init__()
        self.eps = eps

    def _rows_2d(self, shape):
        return shape[0], shape[1]

    def _rows_3d(self, shape):
        return shape[0] * shape[1], shape[2]

    def forward(self, x):
        x = x.contiguous()
        rows, n = getattr(self, f"_rows_{x.dim()}d")(x.shape)
        y = torch.empty_like(x)
        l2_rows_kernel[(rows,)](x, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y
