# case: the autotuner chooses BLOCK and the launch passes it as well
# expect: reject launch-arguments
# rule: launch-arguments
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, num_warps=w) for b, w in ((512, 4), (1024, 8))],
    key=["n"],
)
@triton.jit
def exp2_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.exp2(x), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
        exp2_kernel[grid](x, y, n, BLOCK=1024)
        return y
