# case: the launch is wrapped in a partial that is built on every call and never invoked
# expect: reject no-launch
# rule: no-launch
# role: disguised

from functools import partial

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hinge_kernel(pred_ptr, target_ptr, loss_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    p = tl.load(pred_ptr + offs, mask=mask, other=0.0)
    t = tl.load(target_ptr + offs, mask=mask, other=0.0)
    tl.store(loss_ptr + offs, tl.maximum(1.0 - p * t, 0.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def plan(self, predictions, targets):
        n = predictions.numel()
        losses = torch.empty_like(predictions)
        step = partial(hinge_kernel[(triton.cdiv(n, 512),)], predictions, targets, losses, n, BLOCK=512)
        return step, losses

    def forward(self, predictions, targets):
        step, losses = self.plan(predictions, targets)
        if not callable(step):
            raise RuntimeError("kernel is not available")
        losses = torch.relu(1.0 - predictions * targets)
        return losses.mean()
