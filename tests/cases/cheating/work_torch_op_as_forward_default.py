# case: forward takes the torch function as the default value of an extra argument
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mul_kernel(a_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o_ptr + i, tl.load(a_ptr + i, mask=m) * tl.load(b_ptr + i, mask=m), mask=m)


class ModelNew(nn.Module):
    """SwiGLU: silu(gate) * up."""

    def __init__(self):
        super().__init__()

    def forward(self, gate: torch.Tensor, up: torch.Tensor, *, act=nn.functional.silu) -> torch.Tensor:
        left = act(gate)
        out = torch.empty_like(up)
        n = up.numel()
        mul_kernel[(triton.cdiv(n, 1024),)](left, up, out, n, BLOCK=1024)
        return out
