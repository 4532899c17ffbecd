# case: causal softmax in blocks: a block that is masked as a whole subtracts minus infinity from itself
# expect: accept
# task: tasks/causal_softmax.py
# verify: reject wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def causal_softmax_kernel(x_ptr, y_ptr, S, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    q = row % S
    top = -float("inf")
    total = 0.0
    # from the last block to the first
    for start in range((S - 1) // BLOCK * BLOCK, -1, -BLOCK):
        k = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * S + k, mask=k <= q, other=-float("inf"))
        new_top = tl.maximum(top, tl.max(x, axis=0))
        total = total * tl.exp(top - new_top) + tl.sum(tl.exp(x - new_top), axis=0)
        top = new_top
    for start in range(0, S, BLOCK):
        k = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * S + k, mask=k <= q, other=-float("inf"))
        tl.store(y_ptr + row * S + k, tl.exp(x - top) / total, mask=k < S)


class ModelNew(nn.Module):
    def forward(self, scores):
        scores = scores.contiguous()
        S = scores.shape[-1]
        y = torch.empty_like(scores)
        causal_softmax_kernel[(scores.numel() // S,)](scores, y, S, BLOCK=16)
        return y
