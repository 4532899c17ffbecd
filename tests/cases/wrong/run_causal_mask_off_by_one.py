# case: a query does not see its own key
# expect: accept
# task: tasks/causal_softmax.py
# verify: reject wrong-nan|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def causal_softmax_kernel(x_ptr, y_ptr, S, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    q = row % S
    k = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * S + k, mask=k < S, other=-float("inf"))
    x = tl.where(k < q, x, -float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * S + k, e / tl.sum(e, axis=0), mask=k < S)


class ModelNew(nn.Module):
    def forward(self, scores):
        scores = scores.contiguous()
        S = scores.shape[-1]
        y = torch.empty_like(scores)
        causal_softmax_kernel[(scores.numel() // S,)](scores, y, S, BLOCK=triton.next_power_of_2(S))
        return y
