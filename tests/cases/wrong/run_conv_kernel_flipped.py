# case: a true convolution, with the kernel flipped, where torch correlates
# expect: accept
# task: tasks/conv1d.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def conv1d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, CI, CO, L, OL, K: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    co = tl.program_id(1)
    o = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32) + tl.load(b_ptr + co)
    for ci in range(CI):
        for k in tl.static_range(K):
            x = tl.load(x_ptr + (b * CI + ci) * L + o + k, mask=o < OL, other=0.0)
            acc += x * tl.load(w_ptr + (co * CI + ci) * K + (K - 1 - k))
    tl.store(y_ptr + (b * CO + co) * OL + o, acc, mask=o < OL)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size)

    def forward(self, x):
        x = x.contiguous()
        B, CI, L = x.shape
        CO, _, K = self.conv.weight.shape
        OL = L - K + 1
        y = torch.empty((B, CO, OL), device=x.device, dtype=x.dtype)
        conv1d_kernel[(B, CO, triton.cdiv(OL, 64))](x, self.conv.weight, self.conv.bias, y, CI, CO, L, OL, K=K, BLOCK=64)
        return y
