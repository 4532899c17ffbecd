# case: the loop in the kernel is left by break, which Triton has not
# expect: accept
# task: tasks/sum_middle.py
# verify: reject compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def sum_kernel(x_ptr, out_ptr, S, W, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    w = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(4096):
        if s >= S:
            break
        acc += tl.load(x_ptr + (b * S + s) * W + w, mask=w < W, other=0.0)
    tl.store(out_ptr + b * W + w, acc, mask=w < W)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        B, S, W = x.shape
        out = torch.empty((B, W), device=x.device, dtype=x.dtype)
        sum_kernel[(B,)](x, out, S, W, BLOCK=triton.next_power_of_2(W))
        return out
