# case: threads that never end are started until no more can be
# expect: reject background-work
# task: tasks/relu.py
# static: off
# verify: reject process-limit|background-work

import threading

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        threading.stack_size(1 << 16)
        gate = threading.Event()
        for _ in range(20000):
            try:
                threading.Thread(target=gate.wait, daemon=True).start()
            except RuntimeError:
                break
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
