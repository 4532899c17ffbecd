# case: a loss per row, then a second kernel averages; the file also holds an unused torch reference
# expect: accept
# task: tasks/cross_entropy.py
# verify: accept

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


def reference_cross_entropy(logits, targets):
    """What we compare with by hand; not part of the model."""
    return F.cross_entropy(logits.double(), targets).float()


@triton.jit
def row_loss_kernel(logits_ptr, targets_ptr, loss_ptr, n_classes, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    logits = tl.load(logits_ptr + row * stride + cols, mask=cols < n_classes, other=-float("inf"))
    target = tl.load(targets_ptr + row)
    top = tl.max(logits, axis=0)
    lse = tl.log(tl.sum(tl.exp(logits - top), axis=0)) + top
    picked = tl.sum(tl.where(cols == target, logits, 0.0), axis=0)
    tl.store(loss_ptr + row, lse - picked)


@triton.jit
def mean_kernel(loss_ptr, out_ptr, n, BLOCK: tl.constexpr):
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(loss_ptr + i, mask=i < n, other=0.0), axis=0)
    tl.store(out_ptr, total / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, logits, targets):
        batch, classes = logits.shape
        logits = logits.contiguous()
        losses = torch.empty(batch, device=logits.device, dtype=torch.float32)
        out = torch.empty((), device=logits.device, dtype=logits.dtype)
        row_loss_kernel[(batch,)](logits, targets, losses, classes, logits.stride(0),
                                  BLOCK=triton.next_power_of_2(classes))
        mean_kernel[(1,)](losses, out, batch, BLOCK=256)
        return out
