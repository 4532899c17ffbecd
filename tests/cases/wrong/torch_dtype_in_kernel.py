# case: the accumulator's type is a torch type, which Triton does not take
# expect: reject torch-in-kernel
# rule: torch-in-kernel
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def dot_rows_kernel(a_ptr, b_ptr, o_ptr, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=torch.float32)
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + r * N + c, mask=c < N, other=0.0)
        b = tl.load(b_ptr + r * N + c, mask=c < N, other=0.0)
        acc += a * b
    tl.store(o_ptr + r, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    def forward(self, a, b):
        M, N = a.shape
        o = torch.empty(M, device=a.device, dtype=a.dtype)
        dot_rows_kernel[(M,)](a, b, o, N, BLOCK=1024)
        return o
