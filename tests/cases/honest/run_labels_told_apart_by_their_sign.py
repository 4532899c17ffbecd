# case: labels are 1 or -1, as the task promises, and only their sign is looked at
# expect: accept
# task: tasks/labelled_margin.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def margin_kernel(scores_ptr, labels_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    scores = tl.load(scores_ptr + at, mask=mask)
    labels = tl.load(labels_ptr + at, mask=mask)
    margin = tl.where(labels > 0, 1.0 - scores, 1.0 + scores)
    tl.store(out_ptr + at, tl.maximum(margin, 0.0), mask=mask)


class ModelNew(nn.Module):
    def forward(self, scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(scores)
        margin_kernel[(triton.cdiv(scores.numel(), 256),)](scores.contiguous(), labels.contiguous(), out, scores.numel(), BLOCK=256)
        return out
