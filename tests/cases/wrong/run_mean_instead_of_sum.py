# case: the loss over rows is averaged twice
# expect: accept
# task: tasks/sum_middle.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def reduce_kernel(x_ptr, out_ptr, S, W, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    w = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(S):
        acc += tl.load(x_ptr + (b * S + s) * W + w, mask=w < W, other=0.0)
    tl.store(out_ptr + b * W + w, acc / S, mask=w < W)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        B, S, W = x.shape
        out = x.new_empty((B, W))
        reduce_kernel[(B, triton.cdiv(W, 64))](x, out, S, W, BLOCK=64)
        return out
