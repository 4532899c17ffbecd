# case: the mean of the first 128 values of a row speaks for all of them
# expect: accept
# task: tasks/row_mean_bf16.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mean_kernel(x_ptr, out_ptr, n, SAMPLE: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, SAMPLE)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0).to(tl.float32)
    tl.store(out_ptr + row, tl.sum(x, axis=0) / tl.sum(m.to(tl.float32), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        mean_kernel[(x.shape[0],)](x, out, x.shape[1], SAMPLE=128)
        return out
