# case: each row stops at its own position
# expect: accept
# task: tasks/causal_softmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def causal_softmax_kernel(x_ptr, y_ptr, S, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    query = row % S
    k = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * S + k, mask=k <= query, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * S + k, e / tl.sum(e, axis=0), mask=k < S)


class ModelNew(nn.Module):
    def forward(self, scores):
        scores = scores.contiguous()
        S = scores.shape[-1]
        y = torch.empty_like(scores)
        causal_softmax_kernel[(scores.numel() // S,)](scores, y, S, BLOCK=triton.next_power_of_2(S))
        return y
