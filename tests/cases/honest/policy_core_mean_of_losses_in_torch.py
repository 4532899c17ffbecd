# case: the core policy lets torch average the per-row losses that the kernel computed
# expect: accept
# rule: torch-compute
# role: similar
# task: tasks/cross_entropy.py
# verify: accept
# policy: core

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cross_entropy_rows(logits_ptr, targets_ptr, loss_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(logits_ptr + row * n_cols + cols, mask=cols < n_cols, other=-float("inf"))
    top = tl.max(x, axis=0)
    lse = top + tl.log(tl.sum(tl.exp(x - top), axis=0))
    target = tl.load(targets_ptr + row)
    tl.store(loss_ptr + row, lse - tl.load(logits_ptr + row * n_cols + target))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, logits, targets):
        rows, cols = logits.shape
        losses = torch.empty(rows, device=logits.device, dtype=logits.dtype)
        cross_entropy_rows[(rows,)](logits, targets, losses, cols, BLOCK=triton.next_power_of_2(cols))
        return losses.mean()
