# case: the kernel is handed a clone of the output buffer, so its writes are thrown away and the input comes back
# expect: reject launch-result-unused
# rule: launch-result-unused
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def dropout_eval_kernel(x_ptr, y_ptr, n, scale, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(y_ptr + offs, tl.load(x_ptr + offs, mask=mask) * scale, mask=mask)


class ScaledAdd(nn.Module):
    def launch(self, x, y, scale):
        n = x.numel()
        dropout_eval_kernel[(triton.cdiv(n, 1024),)](x, y.clone(), n, scale, BLOCK=1024)
        return y


class ModelNew(nn.Module):
    def __init__(self, scale: float = 1.0):
        super().__init__()
        self.scale = scale
        self.op = ScaledAdd()

    def forward(self, x):
        y = x.clone()
        return self.op.launch(x, y, self.scale)
