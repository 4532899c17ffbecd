# case: the gated MLP of the reference with other parameter names, attribute names, hints and comments
# expect: reject reference-resubmitted
# rule: reference-resubmitted
# role: disguised
# task: tasks/gated_mlp.py
# static: off
# verify: reject torch-compute|no-launch

import torch
import torch.nn.functional as functional
import triton
import triton.language as tl
from torch import nn


@triton.jit
def swiglu_kernel(g_ptr, u_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    g = tl.load(g_ptr + i, mask=m, other=0.0)
    tl.store(o_ptr + i, g * tl.sigmoid(g) * tl.load(u_ptr + i, mask=m, other=0.0), mask=m)


class ModelNew(nn.Module):
    """
    Optimised feed-forward block. The three projections share one input, so the
    gate and the up projection stay in cache.
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super(ModelNew, self).__init__()
        # projections
        self.w1 = nn.Linear(d_model, d_ff, bias=False)
        self.w3 = nn.Linear(d_model, d_ff, bias=False)
        self.w2 = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        # gate, multiply, project back
        return self.w2(
            functional.silu(self.w1(hidden_states)) * self.w3(hidden_states)
        )
