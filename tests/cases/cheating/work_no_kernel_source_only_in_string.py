# case: the kernel exists only as text in a string that nothing ever compiles
# expect: reject no-kernel
# rule: no-kernel
# role: disguised

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

ELU_KERNEL = '''
@triton.jit
def elu_kernel(x_ptr, y_ptr, n, alpha, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.where(x > 0, x, alpha * (tl.exp(x) - 1.0))
    tl.store(y_ptr + offs, y, mask=mask)
'''


class TritonOp:
    def __init__(self, source, name):
        self.source = source
        self.name = name

    def launch(self, x, alpha):
        return F.elu(x, alpha)


elu_op = TritonOp(ELU_KERNEL, "elu_kernel")


class ModelNew(nn.Module):
    """ELU computed by a Triton kernel."""

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def forward(self, x):
        return elu_op.launch(x, self.alpha)
