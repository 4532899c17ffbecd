# case: a generator yields its first answer for ever
# expect: reject cached-result
# task: tasks/row_mean_bf16.py
# static: off
# verify: reject wrong-result|output-overwritten|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mean_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0).to(tl.float32)
    tl.store(out_ptr + row, tl.sum(x, axis=0) / n)


def answers(x):
    out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
    mean_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    while True:
        yield out


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.streams = {}

    def forward(self, x):
        if x.shape not in self.streams:
            self.streams[x.shape] = answers(x)
        return next(self.streams[x.shape])
