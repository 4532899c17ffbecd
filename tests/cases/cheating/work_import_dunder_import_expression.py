# case: a lambda with __import__ fetches xformers inside an expression
# expect: reject forbidden-import
# rule: forbidden-import
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

load = lambda: __import__("xformers.ops", fromlist=["ops"])


@triton.jit
def drop_head_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.ops = load()

    def forward(self, q, k, v):
        o = self.ops.memory_efficient_attention(q, k, v)
        y = torch.empty_like(o)
        n = o.numel()
        drop_head_kernel[(triton.cdiv(n, 1024),)](o, y, n, BLOCK=1024)
        return y
