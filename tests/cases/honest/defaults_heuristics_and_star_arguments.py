# case: a launch that names few arguments: defaults, a heuristic and star-args supply the others
# expect: accept
# rule: launch-arguments
# role: similar
# task: tasks/vector_add.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def axpby(x_ptr, y_ptr, out_ptr, n, alpha=1.0, beta=1.0, BLOCK: tl.constexpr = 1024, EVEN: tl.constexpr = False):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        x = tl.load(x_ptr + offs)
        y = tl.load(y_ptr + offs)
        tl.store(out_ptr + offs, alpha * x + beta * y)
    else:
        mask = offs < n
        x = tl.load(x_ptr + offs, mask=mask)
        y = tl.load(y_ptr + offs, mask=mask)
        tl.store(out_ptr + offs, alpha * x + beta * y, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.meta = dict(BLOCK=512, num_warps=4, num_stages=1)

    def forward(self, x, y):
        x, y = (t.contiguous() for t in (x, y))
        out = torch.empty_like(x)
        n = out.numel()
        args = (x, y, out, n)
        axpby[(triton.cdiv(n, self.meta["BLOCK"]),)](*args, **self.meta)
        return out
