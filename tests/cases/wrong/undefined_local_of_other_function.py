# case: the wrapper uses a variable that exists only inside another function
# expect: reject undefined-name
# rule: undefined-name
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_rows_kernel(x_ptr, o_ptr, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * N + c, mask=c < N, other=0.0)
    tl.store(o_ptr + r, tl.sum(x, axis=0) / N)


def plan(x):
    rows, width = x.shape
    block = triton.next_power_of_2(width)
    return rows


def mean_rows(x):
    rows = plan(x)
    o = torch.empty(rows, device=x.device, dtype=x.dtype)
    mean_rows_kernel[(rows,)](x, o, x.shape[1], BLOCK=block)
    return o


class ModelNew(nn.Module):
    def forward(self, x):
        return mean_rows(x)
