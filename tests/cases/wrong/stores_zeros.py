# case: the kernel stores zeros whatever it loaded
# expect: reject store-ignores-inputs
# rule: store-ignores-inputs
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def loss_kernel(p_ptr, t_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(p_ptr + i, mask=i < n)
    t = tl.load(t_ptr + i, mask=i < n)
    tl.store(o_ptr + i, tl.zeros((BLOCK,), dtype=tl.float32), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, p, t):
        o = torch.empty_like(p)
        loss_kernel[(triton.cdiv(p.numel(), 1024),)](p, t, o, p.numel(), BLOCK=1024)
        return o
