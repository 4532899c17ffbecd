# case: average pooling over a flat list of outputs
# expect: accept
# task: tasks/avg_pool2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def pool_kernel(x_ptr, y_ptr, total, H, W, OH, OW, K: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    plane = o // (OH * OW)
    oh = (o // OW) % OH
    ow = o % OW
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in range(K):
        for j in range(K):
            acc += tl.load(x_ptr + (plane * H + oh * K + i) * W + ow * K + j, mask=o < total, other=0.0)
    tl.store(y_ptr + o, acc / (K * K), mask=o < total)


class ModelNew(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.k = kernel_size

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        OH, OW = H // self.k, W // self.k
        y = torch.empty((B, C, OH, OW), device=x.device, dtype=x.dtype)
        pool_kernel[(triton.cdiv(y.numel(), 256),)](x, y, y.numel(), H, W, OH, OW, K=self.k, BLOCK=256)
        return y
