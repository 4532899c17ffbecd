# case: torch.addmm fills a preallocated buffer through out= so that no result is ever assigned
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def min_with_constant_kernel(x_ptr, y_ptr, n, c, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.minimum(v, c) - c, mask=i < n)


class Workspace:
    def __init__(self, like, rows, cols):
        self.tile = torch.empty((rows, cols), device=like.device, dtype=like.dtype)
        self.result = torch.empty_like(self.tile)

    def fill(self, *operands):
        torch.addmm(*operands, out=self.tile)
        return self


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, constant):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features) * 0.02)
        self.bias = nn.Parameter(torch.zeros(out_features))
        self.constant = constant

    @torch.no_grad()
    def forward(self, x):
        ws = Workspace(x, x.shape[0], self.weight.shape[1]).fill(self.bias, x, self.weight)
        n = ws.tile.numel()
        min_with_constant_kernel[(triton.cdiv(n, 1024),)](ws.tile, ws.result, n, self.constant, BLOCK=1024)
        return ws.result
