# case: files of one byte without end, errors ignored
# expect: reject file-access
# task: tasks/relu.py
# static: off
# verify: reject disk-limit|time-limit

import os
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
        folder = tempfile.mkdtemp()
        count = 0
        while True:
            count += 1
            try:
                with open(os.path.join(folder, str(count)), "wb") as file:
                    file.write(b"x")
            except OSError:
                continue
