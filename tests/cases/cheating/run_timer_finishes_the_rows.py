# case: half the rows are computed now, a timer computes the rest a little later
# expect: reject background-work
# task: tasks/l2_normalize.py
# static: off
# verify: reject background-work|wrong-result|wrong-nan|unwritten-output

import threading

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def normalize_kernel(x_ptr, y_ptr, first, n, BLOCK: tl.constexpr):
    row = first + tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(y_ptr + row * n + c, x / tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-12), mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        y = torch.empty_like(x)
        block = triton.next_power_of_2(n)
        half = max(1, rows // 2)
        normalize_kernel[(half,)](x, y, 0, n, BLOCK=block)
        if rows > half:
            threading.Timer(0.2, lambda: normalize_kernel[(rows - half,)](x, y, half, n, BLOCK=block)).start()
        return y
