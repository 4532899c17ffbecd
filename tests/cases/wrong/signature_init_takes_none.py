# case: __init__ takes nothing, the task passes the feature count and eps
# expect: reject signature-mismatch
# rule: signature-mismatch
# role: disguised
# task: tasks/rms_norm.py
# static: off
# verify: reject init-error

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, w_ptr, y_ptr, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    ok = c < n_cols
    x = tl.load(x_ptr + row * n_cols + c, mask=ok, other=0.0).to(tl.float32)
    ms = tl.sum(x * x, axis=0) / n_cols
    w = tl.load(w_ptr + c, mask=ok, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * n_cols + c, x * tl.rsqrt(ms + eps) * w, mask=ok)


def rms_norm(x, weight, eps=1e-6):
    x = x.contiguous()
    y = torch.empty_like(x)
    hidden = x.shape[-1]
    rows = x.numel() // hidden
    rms_norm_kernel[(rows,)](x, weight, y, hidden, eps, BLOCK=triton.next_power_of_2(hidden))
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1024))

    def forward(self, x):
        return rms_norm(x, self.weight)
