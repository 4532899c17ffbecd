# case: a second allocation under the same name replaces what the kernel wrote
# expect: reject launch-result-unused
# rule: launch-result-unused
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    sp = tl.log(1.0 + tl.exp(x))
    y = x * (2.0 * tl.sigmoid(2.0 * sp) - 1.0)
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        mish_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        out = torch.empty(x.shape, device=x.device, dtype=x.dtype)
        return out
