# case: of experts whose probabilities are too small for fp32, and zero, one order of indices is as good as another
# expect: accept
# task: tasks/expert_router.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def router_kernel(logits_ptr, weights_ptr, experts_ptr, tokens, experts, CHOSEN: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    token = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    expert = tl.arange(0, COLUMNS)[None, :]
    inside = (token[:, None] < tokens) & (expert < experts)
    logits = tl.load(logits_ptr + token[:, None] * experts + expert, mask=inside, other=-float("inf"))
    largest = tl.max(tl.where(token[:, None] < tokens, logits, 0.0), axis=1)
    left = tl.where(inside, tl.exp(logits - largest[:, None]), -1.0)
    chosen = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for n in tl.static_range(CHOSEN):
        weight, place = tl.max(left, axis=1, return_indices=True)
        tl.store(experts_ptr + token * CHOSEN + n, place.to(tl.int64), mask=token < tokens)
        here = expert == place[:, None]
        chosen += tl.where(expert == n, weight[:, None], 0.0)
        left = tl.where(here, -1.0, left)
    # What all probabilities are divided by cancels.
    share = chosen / tl.sum(chosen, axis=1)[:, None]
    tl.store(weights_ptr + token[:, None] * CHOSEN + expert, share, mask=(token[:, None] < tokens) & (expert < CHOSEN))


class ModelNew(nn.Module):
    def __init__(self, chosen):
        super().__init__()
        self.chosen = chosen

    def forward(self, logits):
        logits = logits.contiguous()
        tokens, experts = logits.shape
        weights = torch.empty(tokens, self.chosen, device=logits.device, dtype=logits.dtype)
        places = torch.empty(tokens, self.chosen, device=logits.device, dtype=torch.int64)
        grid = (triton.cdiv(tokens, 16),)
        columns = triton.next_power_of_2(experts)
        router_kernel[grid](logits, weights, places, tokens, experts, CHOSEN=self.chosen, ROWS=16, COLUMNS=columns)
        return weights, places
