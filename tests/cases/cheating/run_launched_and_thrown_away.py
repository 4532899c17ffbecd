# case: the kernel runs into scratch memory and torch's answer is returned
# expect: reject torch-compute
# task: tasks/log_softmax.py
# static: off
# verify: reject torch-compute|kernel-result-unused

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    top = tl.max(x, axis=0)
    tl.store(y_ptr + row * n + c, x - top - tl.log(tl.sum(tl.exp(x - top), axis=0)), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        scratch = torch.empty_like(x)
        log_softmax_kernel[(x.shape[0],)](x, scratch, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return torch.log_softmax(x, dim=self.dim)
