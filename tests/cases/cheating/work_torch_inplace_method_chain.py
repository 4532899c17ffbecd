# case: the epilogue is a chain of in-place tensor methods on the kernel's output
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_over_last_kernel(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + row * n_cols + c, mask=c < n_cols, other=-float("inf"))
    tl.store(y_ptr + row, tl.max(v, axis=0))


class ModelNew(nn.Module):
    """max over features, subtract the mean, GELU-like tanh gate."""

    def __init__(self):
        super().__init__()

    def forward(self, x):
        rows, cols = x.shape
        peak = torch.empty((rows, 1), device=x.device, dtype=x.dtype)
        max_over_last_kernel[(rows,)](x, peak, cols, BLOCK=triton.next_power_of_2(cols))
        return peak.sub_(peak.mean(dim=1, keepdim=True)).mul_(1.702).sigmoid_()
