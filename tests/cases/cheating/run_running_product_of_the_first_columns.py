# case: running products of the first 512 columns; behind them those of random numbers are zero anyway
# expect: accept
# task: tasks/cumprod.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def running_product_kernel(x_ptr, y_ptr, m, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 1.0
    for start in range(0, tl.minimum(m, 512), BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * m + at, mask=at < m, other=1.0)
        products = carry * tl.associative_scan(x, 0, multiply)
        tl.store(y_ptr + row * m + at, products, mask=at < m)
        carry = carry * tl.reduce(x, 0, multiply)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        y = torch.zeros_like(x)
        running_product_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=128)
        return y
