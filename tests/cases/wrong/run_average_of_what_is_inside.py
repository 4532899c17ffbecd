# case: average pooling divides by the values inside, and the task counts the padding
# expect: accept
# task: tasks/avg_pool1d.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def avg_pool_kernel(x_ptr, y_ptr, L, OL, K: tl.constexpr, STRIDE: tl.constexpr, PAD: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    count = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in tl.static_range(K):
        at = o * STRIDE - PAD + k
        ok = (at >= 0) & (at < L) & (o < OL)
        total += tl.load(x_ptr + row * L + at, mask=ok, other=0.0)
        count += ok.to(tl.float32)
    tl.store(y_ptr + row * OL + o, total / tl.maximum(count, 1.0), mask=o < OL)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.k, self.s, self.p = kernel_size, stride, padding

    def forward(self, x):
        x = x.contiguous()
        B, C, L = x.shape
        OL = (L + 2 * self.p - self.k) // self.s + 1
        y = torch.empty((B, C, OL), device=x.device, dtype=x.dtype)
        avg_pool_kernel[(B * C, triton.cdiv(OL, 64))](x, y, L, OL, K=self.k, STRIDE=self.s, PAD=self.p, BLOCK=64)
        return y
