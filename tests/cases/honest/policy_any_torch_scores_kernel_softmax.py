# case: the any policy accepts attention products in torch around a softmax kernel that matters
# expect: accept
# rule: torch-compute
# role: similar
# task: tasks/attention.py
# verify: accept
# policy: any

import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scaled_softmax_kernel(s_ptr, p_ptr, scale, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    s = tl.load(s_ptr + row * n + c, mask=c < n, other=-float("inf")) * scale
    e = tl.exp(s - tl.max(s, axis=0))
    tl.store(p_ptr + row * n + c, e / tl.sum(e, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, q, k, v):
        scores = torch.matmul(q, k.transpose(-2, -1))
        weights = torch.empty_like(scores)
        n = scores.shape[-1]
        rows = scores.numel() // n
        scale = 1.0 / math.sqrt(q.shape[-1])
        scaled_softmax_kernel[(rows,)](scores, weights, scale, n, BLOCK=triton.next_power_of_2(n))
        return torch.matmul(weights, v)
