# case: the input is permuted to channels-last on the way in and the result permuted back
# expect: accept
# task: tasks/batch_norm_eval.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bn_rows(x_ptr, y_ptr, mean_ptr, var_ptr, gamma_ptr, beta_ptr, rows, C, eps, BR: tl.constexpr, BC: tl.constexpr):
    r = tl.program_id(0) * BR + tl.arange(0, BR)
    c = tl.program_id(1) * BC + tl.arange(0, BC)
    cm = c < C
    mean = tl.load(mean_ptr + c, mask=cm, other=0.0)
    var = tl.load(var_ptr + c, mask=cm, other=1.0)
    gamma = tl.load(gamma_ptr + c, mask=cm, other=0.0)
    beta = tl.load(beta_ptr + c, mask=cm, other=0.0)
    mask = (r < rows)[:, None] & cm[None, :]
    x = tl.load(x_ptr + r[:, None] * C + c[None, :], mask=mask, other=0.0)
    y = (x - mean[None, :]) / tl.sqrt(var + eps)[None, :] * gamma[None, :] + beta[None, :]
    tl.store(y_ptr + r[:, None] * C + c[None, :], y, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bn = nn.BatchNorm2d(channels)

    def forward(self, x):
        bn = self.bn
        nhwc = x.permute(0, 2, 3, 1).contiguous()
        rows, channels = nhwc.flatten(0, 2).shape
        out = torch.empty_like(nhwc)
        bn_rows[(triton.cdiv(rows, 32), triton.cdiv(channels, 16))](
            nhwc, out, bn.running_mean, bn.running_var, bn.weight, bn.bias, rows, channels, bn.eps, BR=32, BC=16)
        return out.permute(0, 3, 1, 2).contiguous()
