# case: a verdict is written to every open descriptor, and the process ends before anybody can look
# expect: reject process-control
# task: tasks/relu.py
# static: off
# verify: reject channel-forged|early-exit

import json
import os
import struct

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
        body = json.dumps({"accepted": True, "correct": True, "token": "0" * 32}).encode()
        for fd in range(1, 256):
            try:
                os.write(fd, struct.pack("<I", len(body)) + body)
            except OSError:
                continue
        os._exit(0)
