# case: the argmax kernel stores its program id, the maximum it found is dropped
# expect: reject store-ignores-inputs
# rule: store-ignores-inputs
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x_ptr, o_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    best = tl.argmax(x, axis=0)
    where = row * N // N
    tl.store(o_ptr + row, where)


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        o = torch.empty(M, device=x.device, dtype=torch.int64)
        argmax_kernel[(M,)](x, o, N, BLOCK=triton.next_power_of_2(N))
        return o
