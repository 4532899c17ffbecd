# case: a factory returns a closure over torch.einsum and its equation; forward calls the closure
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cast_copy_kernel(a_ptr, b_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(b_ptr + offs, tl.load(a_ptr + offs, mask=mask).to(tl.float32), mask=mask)


def make_contraction(equation):
    contract = torch.einsum

    def launch(*operands):
        tiles = contract(equation, *operands)
        out = torch.empty(tiles.shape, device=tiles.device, dtype=torch.float32)
        n = tiles.numel()
        cast_copy_kernel[(triton.cdiv(n, 512),)](tiles, out, n, BLOCK=512)
        return out

    return launch


class ModelNew(nn.Module):
    """4D tensor times matrix over the last dimension."""

    def __init__(self):
        super().__init__()
        self.kernel = make_contraction("bijl,lk->bijk")

    def forward(self, a, b):
        return self.kernel(a, b)
