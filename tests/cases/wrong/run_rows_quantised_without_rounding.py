# case: rows become int8 by cutting the fraction off, where the reference rounds: every other number is one too small
# expect: accept
# task: tasks/quantised_rows.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def quantise_kernel(x_ptr, q_ptr, scale_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x = tl.load(x_ptr + row * n + columns, mask=mask, other=0.0)
    largest = tl.maximum(tl.max(tl.abs(x), axis=0), 1e-12)
    q = x * (127.0 / largest)
    q = tl.minimum(tl.maximum(q, -127.0), 127.0)
    tl.store(q_ptr + row * n + columns, q.to(tl.int8), mask=mask)
    tl.store(scale_ptr + row, largest / 127.0)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        q = torch.empty((rows, n), device=x.device, dtype=torch.int8)
        scale = torch.empty((rows, 1), device=x.device, dtype=x.dtype)
        quantise_kernel[(rows,)](x, q, scale, n, BLOCK=triton.next_power_of_2(n))
        return q, scale
