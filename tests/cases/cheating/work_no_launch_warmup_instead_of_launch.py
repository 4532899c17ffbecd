# case: calls kernel.warmup, which compiles and never runs, and lets torch do the softmax
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def _softmax_rows(out_ptr, in_ptr, stride_in, stride_out, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    keep = cols < n_cols
    vals = tl.load(in_ptr + row * stride_in + cols, mask=keep, other=-float("inf"))
    vals = vals - tl.max(vals, axis=0)
    num = tl.exp(vals)
    tl.store(out_ptr + row * stride_out + cols, num / tl.sum(num, axis=0), mask=keep)


def softmax_rows(x, out):
    n_rows, n_cols = x.shape
    block = triton.next_power_of_2(n_cols)
    # Prepare the kernel for this shape, then run the rows.
    program = _softmax_rows.warmup(out, x, x.stride(0), out.stride(0), n_cols, BLOCK=block, grid=(n_rows,))
    run(program, x, out)
    return out


def run(program, x, out):
    torch.softmax(x, dim=1, out=out)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return softmax_rows(x, torch.empty_like(x))
