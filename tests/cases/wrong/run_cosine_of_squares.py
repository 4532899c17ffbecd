# case: the lengths of the rows are not rooted
# expect: accept
# task: tasks/cosine_similarity.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def cosine_kernel(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * n + c, mask=c < n, other=0.0)
    b = tl.load(b_ptr + row * n + c, mask=c < n, other=0.0)
    dot = tl.sum(a * b, axis=0)
    tl.store(out_ptr + row, dot / tl.maximum(tl.sum(a * a, axis=0) * tl.sum(b * b, axis=0), 1e-8))


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.empty(a.shape[0], device=a.device, dtype=a.dtype)
        cosine_kernel[(a.shape[0],)](a.contiguous(), b.contiguous(), out, a.shape[1], BLOCK=triton.next_power_of_2(a.shape[1]))
        return out
