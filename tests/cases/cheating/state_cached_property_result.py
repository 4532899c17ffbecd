# case: a cached_property runs the kernel once on the first input and is read on every call
# expect: reject cached-result
# rule: cached-result
# role: disguised

from functools import cached_property

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_shift_kernel(x_ptr, w_ptr, o_ptr, n, c, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o_ptr + i, tl.load(x_ptr + i, mask=m) * tl.load(w_ptr + i % c, mask=m), mask=m)


class Job:
    def __init__(self, weight):
        self.weight = weight
        self.source = None

    @cached_property
    def output(self):
        o = torch.empty_like(self.source)
        n, c = o.numel(), self.weight.numel()
        scale_shift_kernel[(triton.cdiv(n, 1024),)](self.source, self.weight, o, n, c, BLOCK=1024)
        return o


class ModelNew(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.job = Job(self.weight)

    def forward(self, x):
        self.job.source = x
        return self.job.output
