# case: the block size comes by position and by keyword
# expect: reject launch-arguments
# rule: launch-arguments
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def ceil_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.ceil(x), mask=i < n)


class ModelNew(nn.Module):
    BLOCK = 512

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        ceil_kernel[(triton.cdiv(n, self.BLOCK),)](x, y, n, self.BLOCK, BLOCK=self.BLOCK)
        return y
