# case: planes of bfloat16 averaged in single precision
# expect: accept
# task: tasks/global_avg_pool_bf16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def global_pool_kernel(x_ptr, y_ptr, HW, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, HW, BLOCK):
        i = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + plane * HW + i, mask=i < HW, other=0.0).to(tl.float32)
    tl.store(y_ptr + plane, (tl.sum(acc) / HW).to(tl.bfloat16))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        y = x.new_empty((B, C))
        global_pool_kernel[(B * C,)](x, y, H * W, BLOCK=128)
        return y
