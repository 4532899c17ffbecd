# case: elements are handled in pairs, and the task's odd length leaves one over
# expect: accept
# task: tasks/softplus.py
# verify: reject wrong-result|wrong-nan|unwritten-output

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softplus_pairs(x_ptr, y_ptr, pairs, BLOCK: tl.constexpr):
    p = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = p < pairs
    for k in tl.static_range(2):
        x = tl.load(x_ptr + 2 * p + k, mask=m, other=0.0)
        y = tl.where(x > 20.0, x, tl.log(1.0 + tl.exp(tl.minimum(x, 20.0))))
        small = tl.exp(x)
        y = tl.where(x < -8.0, small - 0.5 * small * small, y)
        tl.store(y_ptr + 2 * p + k, y, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        pairs = x.numel() // 2
        softplus_pairs[(triton.cdiv(pairs, 256),)](x, y, pairs, BLOCK=256)
        return y
