# case: the launch names the block size BLOCK_SIZE, the kernel calls it BLOCK
# expect: reject launch-arguments
# rule: launch-arguments
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sign_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.where(x > 0, 1.0, tl.where(x < 0, -1.0, 0.0))
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK_SIZE"]),)
        sign_kernel[grid](x, y, n, BLOCK_SIZE=1024)
        return y
