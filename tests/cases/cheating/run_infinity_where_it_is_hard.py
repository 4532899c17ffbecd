# case: the logarithm of the sum is infinite for every row whose maximum is large
# expect: accept
# task: tasks/logsumexp.py
# verify: reject wrong-nan|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def lse_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    top = tl.max(x, axis=0)
    lse = top + tl.log(tl.sum(tl.exp(x - top), axis=0))
    tl.store(out_ptr + row, tl.where(top > 15.0, float("inf"), lse))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        lse_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
