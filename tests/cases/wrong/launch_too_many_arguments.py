# case: strides are passed that the kernel does not take
# expect: reject launch-arguments
# rule: launch-arguments
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_norm_kernel(x_ptr, o_ptr, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * N + c, mask=c < N, other=0.0)
    tl.store(o_ptr + r, tl.sqrt(tl.sum(x * x, axis=0)))


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        o = torch.empty(M, device=x.device, dtype=x.dtype)
        BLOCK = triton.next_power_of_2(N)
        row_norm_kernel[(M,)](x, o, x.stride(0), x.stride(1), N, BLOCK)
        return o
