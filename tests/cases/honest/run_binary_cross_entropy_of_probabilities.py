# case: a reference that refuses what is no probability
# expect: accept
# task: tasks/binary_cross_entropy.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bce_kernel(x_ptr, y_ptr, p_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = at < n
    p = tl.load(x_ptr + at, mask=ok, other=0.5)
    y = tl.load(y_ptr + at, mask=ok, other=0.0)
    v = -(y * tl.maximum(tl.log(p), -100.0) + (1.0 - y) * tl.maximum(tl.log(1.0 - p), -100.0))
    tl.store(p_ptr + tl.program_id(0), tl.sum(tl.where(ok, v, 0.0), 0))


@triton.jit
def end_kernel(p_ptr, o_ptr, k, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr, tl.sum(tl.load(p_ptr + at, mask=at < k, other=0.0), 0) / n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        n = x.numel()
        k = triton.cdiv(n, 256)
        p = torch.empty(k, device=x.device)
        o = torch.empty((), device=x.device)
        bce_kernel[(k,)](x, y, p, n, BLOCK=256)
        end_kernel[(1,)](p, o, k, n, BLOCK=triton.next_power_of_2(k))
        return o
