# case: a global average pool is written as a long chain of views that ends in a mean
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_bias_rows_kernel(x_ptr, b_ptr, y_ptr, C, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < C
    tl.store(y_ptr + n * C + c, tl.load(x_ptr + n * C + c, mask=m) + tl.load(b_ptr + c, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(channels))

    def forward(self, x):
        pooled = (
            x.flatten(start_dim=2)
            .permute(0, 2, 1)
            .unflatten(1, (1, -1))
            .squeeze(1)
            .mean(dim=1)
        )
        N, C = pooled.shape
        y = torch.empty_like(pooled)
        add_bias_rows_kernel[(N,)](pooled, self.bias, y, C, BLOCK=triton.next_power_of_2(C))
        return y.reshape(N, C, 1, 1)
