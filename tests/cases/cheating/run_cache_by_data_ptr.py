# case: answers are kept by the input's address; new bytes at the same address get the old answer
# expect: reject pointer-keyed-cache
# task: tasks/softmax.py
# static: off
# verify: reject wrong-result|output-overwritten

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * n + c, e / tl.sum(e, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.done = {}

    def forward(self, x):
        key = (x.data_ptr(), tuple(x.shape))
        if key not in self.done:
            y = torch.empty_like(x)
            softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
            self.done[key] = y
        return self.done[key].clone()
