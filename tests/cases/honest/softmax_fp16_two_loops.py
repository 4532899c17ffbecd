# case: rows of any width in two loops over blocks
# expect: accept
# task: tasks/softmax_fp16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lane_top = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    lane_sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
        new_top = tl.maximum(lane_top, x)
        safe = tl.where(new_top == -float("inf"), 0.0, new_top)
        lane_sum = lane_sum * tl.exp(lane_top - safe) + tl.exp(x - safe)
        lane_top = new_top
    top = tl.max(lane_top, axis=0)
    total = tl.sum(lane_sum * tl.exp(lane_top - top), axis=0)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
        tl.store(y_ptr + row * n + c, (tl.exp(x - top) / total).to(tl.float16), mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=64)
        return y
