# case: a generator yields chunk products computed by torch, and a kernel only copies them into place
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def place_kernel(src_ptr, dst_ptr, offset, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(src_ptr + i, mask=i < n)
    tl.store(dst_ptr + offset + i, v, mask=i < n)


def tiles(a, b, rows=64):
    """Walk the output in row panels that fit in L2."""
    for start in range(0, a.shape[0], rows):
        yield start * b.shape[1], a[start : start + rows].mm(b)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        c = torch.empty((a.shape[0], b.shape[1]), device=a.device, dtype=a.dtype)
        for offset, panel in tiles(a, b):
            n = panel.numel()
            place_kernel[(triton.cdiv(n, 1024),)](panel, c, offset, n, BLOCK=1024)
        return c
