# case: losses by row and their mean in one launch of atomics
# expect: accept
# task: tasks/cross_entropy.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def ce_kernel(logits_ptr, target_ptr, out_ptr, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    target = tl.load(target_ptr + row)
    top = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + row * n + c, mask=c < n, other=-float("inf"))
        new_top = tl.maximum(top, tl.max(x, axis=0))
        total = total * tl.exp(top - new_top) + tl.sum(tl.exp(x - new_top), axis=0)
        top = new_top
    picked = tl.load(logits_ptr + row * n + target)
    tl.atomic_add(out_ptr, (top + tl.log(total) - picked) / rows)


class ModelNew(nn.Module):
    def forward(self, logits, targets):
        logits = logits.contiguous()
        rows, n = logits.shape
        out = torch.zeros((), device=logits.device, dtype=logits.dtype)
        ce_kernel[(rows,)](logits, targets.contiguous(), out, rows, n, BLOCK=128)
        return out
