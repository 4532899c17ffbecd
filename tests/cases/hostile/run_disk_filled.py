# case: one file grows without end
# expect: reject file-access
# task: tasks/relu.py
# static: off
# verify: reject disk-limit

import tempfile

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
        chunk = b"\x01" * (1 << 24)
        with tempfile.TemporaryFile() as file:
            while True:
                file.write(chunk)
                file.flush()
