"""Softmax over the rows of a matrix, all of it in one kernel. Solves tests/cases/tasks/softmax.py."""

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, y_ptr, x_stride, y_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * x_stride + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))  # the largest is subtracted, so that large inputs do not overflow
    tl.store(y_ptr + row * y_stride + at, e / tl.sum(e, axis=0), mask=at < columns)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        x = x if x.stride(1) == 1 else x.contiguous()
        y = torch.empty((rows, columns), dtype=x.dtype, device=x.device)
        block = triton.next_power_of_2(columns)
        softmax_kernel[(rows,)](x, y, x.stride(0), y.stride(0), columns, BLOCK=block, num_warps=4 if block < 2048 else 8)
        return y
