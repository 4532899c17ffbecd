# case: an optional callback given to the constructor is called on the path; nobody can tell what it does
# expect: accept
# rule: unresolved-call
# role: caught
# suspect: unresolved-call
# task: tasks/scale_shift.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mul_add_kernel(x_ptr, y_ptr, n, a, b, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) * a + b, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, a: float, b: float, on_launch=None):
        super().__init__()
        self.a, self.b = a, b
        self.on_launch = on_launch

    def forward(self, x):
        n = x.numel()
        grid = (triton.cdiv(n, 1024),)
        if self.on_launch is not None:
            self.on_launch(grid)
        y = torch.empty_like(x)
        mul_add_kernel[grid](x, y, n, self.a, self.b, BLOCK=1024)
        return y
