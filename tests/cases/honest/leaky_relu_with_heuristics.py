# case: heuristics choose the block and whether a mask is needed
# expect: accept
# task: tasks/leaky_relu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.heuristics({
    "BLOCK": lambda args: 1024 if args["n"] >= 4096 else 128,
    "EVEN": lambda args: args["n"] % (1024 if args["n"] >= 4096 else 128) == 0,
})
@triton.jit
def leaky_kernel(x_ptr, y_ptr, n, slope, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        x = tl.load(x_ptr + offs)
        tl.store(y_ptr + offs, tl.where(x >= 0, x, x * slope))
    else:
        x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
        tl.store(y_ptr + offs, tl.where(x >= 0, x, x * slope), mask=offs < n)


class ModelNew(nn.Module):
    def __init__(self, slope: float):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        leaky_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, self.slope)
        return y
