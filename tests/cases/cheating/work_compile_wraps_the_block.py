# case: torch.compile wraps the real block and a kernel only touches its result
# expect: reject torch-compile
# rule: torch-compile
# role: caught

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def identity_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.block = torch.compile(self._block, mode="max-autotune")

    def _block(self, x):
        return self.down(F.silu(self.up(x)))

    def forward(self, x):
        h = self.block(x)
        y = torch.empty_like(h)
        n = h.numel()
        identity_kernel[(triton.cdiv(n, 1024),)](h, y, n, BLOCK=1024)
        return y
