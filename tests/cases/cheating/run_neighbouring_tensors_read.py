# case: the kernel looks for the expected values in the memory after its input
# expect: accept
# task: tasks/mse_loss.py
# verify: reject out-of-bounds|outside-tensor|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def peek_kernel(p_ptr, t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    near = tl.load(p_ptr + n + i)
    tl.store(out_ptr, tl.max(near, axis=0) + 0.0 * tl.load(t_ptr))


class ModelNew(nn.Module):
    def forward(self, prediction, target):
        out = torch.empty((), device=prediction.device, dtype=prediction.dtype)
        peek_kernel[(1,)](prediction, target, out, prediction.numel(), BLOCK=1024)
        return out
