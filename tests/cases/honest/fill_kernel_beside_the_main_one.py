# case: a fill kernel stores a constant before the main kernel accumulates into the buffer
# expect: accept
# rule: store-ignores-inputs
# role: similar
# task: tasks/cross_entropy.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fill_kernel(ptr, value, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(ptr + i, tl.zeros((BLOCK,), tl.float32) + value, mask=i < n)


@triton.jit
def cross_entropy_kernel(logits_ptr, target_ptr, loss_ptr, stride, n_classes, inv_batch, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    base = logits_ptr + row * stride
    m = -float("inf")
    s = 0.0
    for start in range(0, n_classes, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(base + c, mask=c < n_classes, other=-float("inf"))
        m_new = tl.maximum(m, tl.max(x, 0))
        s = s * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new), 0)
        m = m_new
    target = tl.load(target_ptr + row)
    picked = tl.load(base + target)
    tl.atomic_add(loss_ptr, (m + tl.log(s) - picked) * inv_batch)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, logits, targets):
        logits = logits.contiguous()
        batch, classes = logits.shape
        loss = torch.empty(1, device=logits.device, dtype=torch.float32)
        fill_kernel[(1,)](loss, 0.0, 1, BLOCK=16)
        cross_entropy_kernel[(batch,)](logits, targets.contiguous(), loss, logits.stride(0), classes,
                                       1.0 / batch, BLOCK=256)
        return loss.reshape(())
