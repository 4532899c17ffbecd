# case: partial sums are added atomically to memory of torch.empty
# expect: accept
# task: tasks/sum_middle.py
# verify: reject uninitialised-read|wrong-result|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def sum_middle_kernel(x_ptr, out_ptr, S, W, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    s0 = tl.program_id(1) * ROWS
    w = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in range(ROWS):
        acc += tl.load(x_ptr + (b * S + s0 + i) * W + w, mask=(w < W) & (s0 + i < S), other=0.0)
    tl.atomic_add(out_ptr + b * W + w, acc, mask=w < W)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        B, S, W = x.shape
        out = torch.empty((B, W), device=x.device, dtype=x.dtype)
        sum_middle_kernel[(B, triton.cdiv(S, 16))](x, out, S, W, ROWS=16, BLOCK=triton.next_power_of_2(W))
        return out
