# case: an attribute of the module holds the kernel, and forward calls it without a grid
# expect: reject kernel-called-without-grid
# rule: kernel-called-without-grid
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 512}), triton.Config({"BLOCK": 1024})], key=["n"])
@triton.jit
def lerp_kernel(a_ptr, b_ptr, o_ptr, w, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n)
    b = tl.load(b_ptr + i, mask=i < n)
    tl.store(o_ptr + i, a + w * (b - a), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, w=0.5):
        super().__init__()
        self.w = w
        self.op = lerp_kernel

    def forward(self, a, b):
        o = torch.empty_like(a)
        run = self.op
        run(a, b, o, self.w, a.numel())
        return o
