# case: an input that lies transposed in memory is read as if it did not
# expect: accept
# task: tasks/transposed_input.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + at, mask=at < n, other=0.0)
    tl.store(y_ptr + r, tl.sum(2.0 * tl.sigmoid(2.0 * x) - 1.0, 0))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        row_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
