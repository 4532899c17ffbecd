# case: the import of triton.language is missing
# expect: reject undefined-name
# rule: undefined-name
# role: disguised

import torch
import torch.nn as nn
import triton


@triton.jit
def mul_kernel(a_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n)
    b = tl.load(b_ptr + i, mask=i < n)
    tl.store(o_ptr + i, a * b, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        o = torch.empty_like(a)
        mul_kernel[(triton.cdiv(a.numel(), 1024),)](a, b, o, a.numel(), BLOCK=1024)
        return o
