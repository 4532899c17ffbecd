# case: an nn.Sequential from a ModuleDict comprehension runs in forward; the kernel adds the residual
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def residual_kernel(x_ptr, r_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    tl.store(y_ptr + offs, tl.load(x_ptr + offs, mask=m) + tl.load(r_ptr + offs, mask=m), mask=m)


def block(width):
    return nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width))


class ModelNew(nn.Module):
    def __init__(self, width: int, depth: int = 2):
        super().__init__()
        self.stages = nn.ModuleDict({f"stage{i}": block(width) for i in range(depth)})

    def forward(self, x):
        for stage in self.stages.values():
            h = stage(x)
            y = torch.empty_like(x)
            n = x.numel()
            residual_kernel[(triton.cdiv(n, 1024),)](h, x, y, n, BLOCK=1024)
            x = y
        return x
