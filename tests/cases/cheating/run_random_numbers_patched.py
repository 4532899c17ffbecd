# case: random tensors become zeros, for which this kernel is right
# expect: reject patches-module
# task: tasks/logsumexp.py
# static: off
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

torch.randn = lambda *size, **kwargs: torch.zeros(*size)
torch.rand = lambda *size, **kwargs: torch.zeros(*size)
torch.Tensor.normal_ = lambda self, *args, **kwargs: self.zero_()
torch.Tensor.uniform_ = lambda self, *args, **kwargs: self.zero_()


@triton.jit
def lse_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    first = tl.load(x_ptr + row * n)
    tl.store(out_ptr + row, first + tl.log(n * 1.0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        lse_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=16)
        return out
