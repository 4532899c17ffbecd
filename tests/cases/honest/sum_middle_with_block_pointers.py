# case: the sum over a middle dimension with block pointers that advance
# expect: accept
# task: tasks/sum_middle.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def sum_middle_kernel(x_ptr, out_ptr, S, W, BS: tl.constexpr, BW: tl.constexpr):
    b = tl.program_id(0)
    w0 = tl.program_id(1) * BW
    block = tl.make_block_ptr(x_ptr + b * S * W, shape=(S, W), strides=(W, 1), offsets=(0, w0),
                              block_shape=(BS, BW), order=(1, 0))
    acc = tl.zeros((BW,), dtype=tl.float32)
    for _ in range(0, S, BS):
        acc += tl.sum(tl.load(block, boundary_check=(0, 1), padding_option="zero"), axis=0)
        block = tl.advance(block, (BS, 0))
    w = w0 + tl.arange(0, BW)
    tl.store(out_ptr + b * W + w, acc, mask=w < W)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        B, S, W = x.shape
        out = torch.empty((B, W), device=x.device, dtype=x.dtype)
        sum_middle_kernel[(B, triton.cdiv(W, 32))](x, out, S, W, BS=16, BW=32)
        return out
