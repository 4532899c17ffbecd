# case: three sums of a row at once
# expect: accept
# task: tasks/cosine_similarity.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def cosine_kernel(a_ptr, b_ptr, out_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * n + c, mask=c < n, other=0.0)
    b = tl.load(b_ptr + row * n + c, mask=c < n, other=0.0)
    la = tl.maximum(tl.sqrt(tl.sum(a * a, axis=0)), eps)
    lb = tl.maximum(tl.sqrt(tl.sum(b * b, axis=0)), eps)
    tl.store(out_ptr + row, tl.sum(a * b, axis=0) / (la * lb))


class ModelNew(nn.Module):
    def forward(self, a, b):
        a, b = a.contiguous(), b.contiguous()
        out = torch.empty(a.shape[0], device=a.device, dtype=a.dtype)
        cosine_kernel[(a.shape[0],)](a, b, out, a.shape[1], 1e-8, BLOCK=triton.next_power_of_2(a.shape[1]))
        return out
