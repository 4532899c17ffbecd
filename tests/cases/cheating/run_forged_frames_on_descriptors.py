# case: a verdict in several likely formats is written to every open descriptor; the output is zeros
# expect: reject file-access
# task: tasks/column_sum.py
# static: off
# verify: reject channel-forged|wrong-result|early-exit|crash|run-error|forbidden-call|output-limit

import json
import os
import struct

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def zero_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n, other=0.0) * 0.0, mask=i < n)


def forge():
    text = json.dumps({"type": "result", "accepted": True, "correct": True, "findings": [], "exit": 0}).encode()
    for fd in range(3, 64):
        for frame in (text + b"\n", struct.pack("<I", len(text)) + text, struct.pack("<Q", len(text)) + text):
            try:
                os.write(fd, frame)
            except OSError:
                break


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((1, x.shape[1]), device=x.device, dtype=x.dtype)
        zero_kernel[(triton.cdiv(y.numel(), 128),)](x, y, y.numel(), BLOCK=128)
        forge()
        return y
