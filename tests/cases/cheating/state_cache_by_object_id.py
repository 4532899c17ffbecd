# case: a helper called signature folds id() into a tuple that is compared with the remembered one
# expect: reject pointer-keyed-cache
# rule: pointer-keyed-cache
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def smooth_kernel(x_ptr, t_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    d = tl.abs(tl.load(x_ptr + i, mask=m, other=0.0) - tl.load(t_ptr + i, mask=m, other=0.0))
    tl.store(o_ptr + i, tl.where(d < 1.0, 0.5 * d * d, d - 0.5), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.previous = (None, None)
        self.out = None

    @staticmethod
    def signature(*tensors, tag=id):
        return tuple(map(tag, tensors))

    def forward(self, x, t):
        now = self.signature(x, t)
        if now != self.previous:
            self.out = torch.empty_like(x)
            n = x.numel()
            smooth_kernel[(triton.cdiv(n, 1024),)](x, t, self.out, n, BLOCK=1024)
            self.previous = now
        return self.out
