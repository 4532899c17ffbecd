# case: rows are padded to a multiple of 16, and the result is a slice
# expect: accept
# task: tasks/softmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softmax_kernel(x_ptr, y_ptr, n, xs, ys, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * xs + c, mask=c < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * ys + c, e / tl.sum(e, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        padded = torch.empty((rows, triton.cdiv(n, 16) * 16), device=x.device, dtype=x.dtype)
        softmax_kernel[(rows,)](x, padded, n, x.stride(0), padded.stride(0), BLOCK=triton.next_power_of_2(n))
        return padded[:, :n]
