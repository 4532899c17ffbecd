# case: one kernel only rearranges data (im2col) and another computes on what it packed
# expect: accept
# rule: copy-kernel
# role: similar
# task: tasks/conv1d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def im2col_1d(x_ptr, col_ptr, C, L, OL, K: tl.constexpr, BLOCK: tl.constexpr):
    # col[b, c * K + k, o] = x[b, c, o + k]
    b = tl.program_id(0)
    ck = tl.program_id(1)
    o = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    c = ck // K
    k = ck % K
    v = tl.load(x_ptr + (b * C + c) * L + o + k, mask=o < OL, other=0.0)
    tl.store(col_ptr + (b * C * K + ck) * OL + o, v, mask=o < OL)


@triton.jit
def weight_times_columns(w_ptr, col_ptr, bias_ptr, y_ptr, OC, CK, OL,
                         BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    b = tl.program_id(0)
    oc = tl.program_id(1) * BM + tl.arange(0, BM)
    o = tl.program_id(2) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, CK, BK):
        ck = k0 + tl.arange(0, BK)
        w = tl.load(w_ptr + oc[:, None] * CK + ck[None, :], mask=(oc[:, None] < OC) & (ck[None, :] < CK), other=0.0)
        col = tl.load(col_ptr + (b * CK + ck[:, None]) * OL + o[None, :],
                      mask=(ck[:, None] < CK) & (o[None, :] < OL), other=0.0)
        acc = tl.dot(w, col, acc, input_precision="ieee")
    acc += tl.load(bias_ptr + oc, mask=oc < OC, other=0.0)[:, None]
    tl.store(y_ptr + (b * OC + oc[:, None]) * OL + o[None, :], acc, mask=(oc[:, None] < OC) & (o[None, :] < OL))


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size)

    def forward(self, x):
        x = x.contiguous()
        b, c, length = x.shape
        oc, _, k = self.conv.weight.shape
        ol = length - k + 1
        col = torch.empty((b, c * k, ol), device=x.device, dtype=x.dtype)
        y = torch.empty((b, oc, ol), device=x.device, dtype=x.dtype)
        im2col_1d[(b, c * k, triton.cdiv(ol, 128))](x, col, c, length, ol, K=k, BLOCK=128)
        weight_times_columns[(b, triton.cdiv(oc, 16), triton.cdiv(ol, 64))](
            self.conv.weight, col, self.conv.bias, y, oc, c * k, ol, BM=16, BN=64, BK=16)
        return y
