# case: a dtype and a shape query that Triton never had
# expect: reject unknown-triton-api
# rule: unknown-triton-api
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def accumulate_kernel(x_ptr, o_ptr, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float80)
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + r * N + c, mask=c < N, other=0.0)
    width = tl.shape(acc)[0]
    tl.store(o_ptr + r, tl.sum(acc, axis=0) / width * width)


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        o = torch.empty(M, device=x.device, dtype=x.dtype)
        accumulate_kernel[(M,)](x, o, N, BLOCK=256)
        return o
