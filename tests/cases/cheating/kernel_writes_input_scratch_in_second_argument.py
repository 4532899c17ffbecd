# case: the answer goes to a fresh buffer, but the target tensor of the caller is used as scratch space by a device helper
# expect: reject writes-input
# rule: writes-input
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _spill(ptr, offs, value, mask):
    tl.store(ptr + offs, value, mask=mask)


@triton.jit
def squared_error_kernel(pred_ptr, target_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    d = tl.load(pred_ptr + i, mask=m) - tl.load(target_ptr + i, mask=m)
    _spill(target_ptr, i, d * d, m)


@triton.jit
def mean_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(0, n, BLOCK):
        i = s + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(o_ptr, tl.sum(acc, axis=0) / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        n = predictions.numel()
        scratch, *_ = (targets,)
        squared_error_kernel[(triton.cdiv(n, 1024),)](predictions, scratch, n, BLOCK=1024)
        out = torch.empty((), device=predictions.device, dtype=torch.float32)
        mean_kernel[(1,)](scratch, out, n, BLOCK=1024)
        return out
