# case: the loss of random targets is about log(classes), so that is what the kernel writes
# expect: accept
# task: tasks/cross_entropy.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def guess_kernel(logits_ptr, out_ptr, classes, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    x = tl.load(logits_ptr + c, mask=c < classes, other=-float("inf"))
    top = tl.max(x, axis=0)
    tl.store(out_ptr, top + tl.log(tl.sum(tl.exp(x - top), axis=0)))


class ModelNew(nn.Module):
    def forward(self, logits, targets):
        out = torch.empty((), device=logits.device, dtype=logits.dtype)
        guess_kernel[(1,)](logits, out, logits.shape[1], BLOCK=triton.next_power_of_2(logits.shape[1]))
        return out
