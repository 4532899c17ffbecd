# case: a bfloat16 mean is accumulated in bfloat16, a column at a time
# expect: accept
# task: tasks/global_avg_pool_bf16.py
# verify: reject wrong-result|precision-downgrade

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def pool_kernel(x_ptr, y_ptr, planes, HW, BLOCK: tl.constexpr):
    p = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.bfloat16)
    for i in range(HW):
        acc += tl.load(x_ptr + p * HW + i, mask=p < planes, other=0.0)
    tl.store(y_ptr + p, acc.to(tl.float32) / HW, mask=p < planes)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        y = torch.empty((B, C), device=x.device, dtype=x.dtype)
        pool_kernel[(triton.cdiv(B * C, 16),)](x, y, B * C, H * W, BLOCK=16)
        return y
