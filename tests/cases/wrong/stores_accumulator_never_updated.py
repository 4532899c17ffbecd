# case: the loop computes into a fresh variable, the stored accumulator stays zero
# expect: reject store-ignores-inputs
# rule: store-ignores-inputs
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_sq_kernel(x_ptr, o_ptr, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + r * N + c, mask=c < N, other=0.0)
        partial = x * x
    tl.store(o_ptr + r, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        o = torch.empty(M, device=x.device, dtype=torch.float32)
        sum_sq_kernel[(M,)](x, o, N, BLOCK=1024)
        return o
