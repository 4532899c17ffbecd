# case: signals that could end it are ignored, and exceptions are caught, in an endless loop
# expect: reject background-work
# task: tasks/relu.py
# static: off
# verify: reject time-limit|forbidden-call

import signal

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
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGXCPU, signal.SIGHUP):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        while True:
            try:
                while True:
                    sum(range(1000))
            except BaseException:
                continue
