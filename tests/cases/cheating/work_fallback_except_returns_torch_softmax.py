# case: any exception around the launch ends in torch.softmax
# expect: reject fallback-to-torch
# rule: fallback-to-torch
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, y_ptr, stride, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=mask, other=-float("inf"))
    num = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * stride + cols, num / tl.sum(num, axis=0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        try:
            y = torch.empty_like(x)
            n_rows, n_cols = x.shape
            softmax_kernel[(n_rows,)](x, y, x.stride(0), n_cols, BLOCK_SIZE=triton.next_power_of_2(n_cols))
            return y
        except Exception:
            # Fallback for shapes the kernel does not support.
            return torch.softmax(x, dim=1)
