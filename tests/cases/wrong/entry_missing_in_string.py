# case: ModelNew is defined in a template string
# expect: reject entry-missing
# rule: entry-missing
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def clamp_kernel(x_ptr, y_ptr, n, lo, hi, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    x = tl.minimum(tl.maximum(x, lo), hi)
    tl.store(y_ptr + offs, x, mask=mask)


def clamp(x, lo, hi):
    y = torch.empty_like(x)
    n = x.numel()
    clamp_kernel[(triton.cdiv(n, 1024),)](x, y, n, lo, hi, BLOCK=1024)
    return y

MODULE = '''
class ModelNew(nn.Module):
    def forward(self, x):
        return clamp(x, 0.0, 6.0)
'''


class Relu6(nn.Module):
    def forward(self, x):
        return clamp(x, 0.0, 6.0)
