# case: the for statement of the reduction has no colon
# expect: reject syntax-error
# rule: syntax-error
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def col_mean_kernel(x_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for r in range(0, M)
        acc += tl.load(x_ptr + r * N + c, mask=c < N, other=0.0)
    tl.store(out_ptr + c, acc / M, mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        out = torch.empty(N, device=x.device, dtype=x.dtype)
        col_mean_kernel[(triton.cdiv(N, 128),)](x, out, M, N, BLOCK=128)
        return out
