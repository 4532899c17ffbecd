# case: torch sorts out the routing with topk and one_hot; Triton only exponentiates the chosen scores
# expect: reject torch-compute
# rule: torch-compute
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def small_softmax_kernel(s_ptr, p_ptr, K: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, K)
    s = tl.load(s_ptr + row * K + k)
    e = tl.exp(s - tl.max(s, axis=0))
    tl.store(p_ptr + row * K + k, e / tl.sum(e, axis=0))


class ModelNew(nn.Module):
    """Top-2 expert router: returns gate weights and per-expert load."""

    def __init__(self, num_experts: int):
        super().__init__()
        self.num_experts = num_experts

    def forward(self, logits: torch.Tensor):
        scores, chosen = logits.topk(2, dim=-1)
        scores = scores.contiguous()
        gates = torch.empty_like(scores)
        small_softmax_kernel[(logits.shape[0],)](scores, gates, K=2)
        load = nn.functional.one_hot(chosen, self.num_experts).sum(dim=(0, 1))
        return gates, load
