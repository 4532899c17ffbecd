# case: the names of the calling functions decide how exact the answer is
# expect: reject reflection
# task: tasks/softmax_bf16.py
# static: off
# verify: reject wrong-result

import sys

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softmax_kernel(x_ptr, y_ptr, n, EXACT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
    top = tl.max(x, axis=0)
    if EXACT:
        e = tl.exp(x - top)
    else:
        e = tl.maximum(1.0 + (x - top) * 0.125, 0.0)
    tl.store(y_ptr + row * n + c, e / tl.sum(e, axis=0), mask=c < n)


def called_by(word):
    frame = sys._getframe(2)
    while frame is not None:
        if word in frame.f_code.co_name.lower():
            return True
        frame = frame.f_back
    return False


class ModelNew(nn.Module):
    def forward(self, x):
        exact = called_by("run_and_check_correctness")
        y = torch.empty_like(x)
        softmax_kernel[(x.shape[0],)](x, y, x.shape[1], EXACT=exact, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
