# case: a power tower stands where a constant folder would compute it
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swiglu_kernel(gate_ptr, up_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = offs < n
    g = tl.load(gate_ptr + offs, mask=ok, other=0.0).to(tl.float32)
    u = tl.load(up_ptr + offs, mask=ok, other=0.0).to(tl.float32)
    tl.store(out_ptr + offs, g / (1.0 + tl.exp(-g)) * u, mask=ok)


def swiglu(gate, up):
    out = torch.empty_like(gate)
    n = gate.numel()
    swiglu_kernel[(triton.cdiv(n, 1024),)](gate, up, out, n, BLOCK=1024)
    return out

SENTINEL = lambda: 9 ** 9 ** 9 ** 9
WIDTH = (1 << (1 << 62)) if False else 1024


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.randn(dim, dim))

    def forward(self, gate, up):
        out = swiglu(gate, up)
        return out @ self.w if WIDTH < 9 ** 9 ** 9 else out
