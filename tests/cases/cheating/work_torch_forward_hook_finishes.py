# case: forward returns the kernel's output, and a forward hook registered in __init__ normalises it in torch
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exp_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.exp(tl.load(x_ptr + i, mask=i < n)), mask=i < n)


class ModelNew(nn.Module):
    """Softmax over dim 1."""

    def __init__(self):
        super().__init__()
        self.register_forward_hook(self._finish)

    @staticmethod
    def _finish(module, args, output):
        return output / output.sum(dim=1, keepdim=True)

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        exp_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
