# case: a word processor turned the quotes of a string into curly ones
# expect: reject syntax-error
# rule: syntax-error
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_min_kernel(x_ptr, o_ptr, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * N + c, mask=c < N, other=float(“inf”))
    tl.store(o_ptr + r, tl.min(x, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        o = torch.empty(M, device=x.device, dtype=x.dtype)
        row_min_kernel[(M,)](x, o, N, BLOCK=triton.next_power_of_2(N))
        return o
