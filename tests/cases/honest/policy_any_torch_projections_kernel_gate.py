# case: the any policy accepts torch projections as long as the kernel's gating reaches the output
# expect: accept
# rule: torch-compute
# role: similar
# task: tasks/gated_mlp.py
# verify: accept
# policy: any

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu_mul_kernel(gate_ptr, up_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    g = tl.load(gate_ptr + offs, mask=mask, other=0.0)
    u = tl.load(up_ptr + offs, mask=mask, other=0.0)
    tl.store(out_ptr + offs, g * tl.sigmoid(g) * u, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        g, u = self.gate(x), self.up(x)
        h = torch.empty_like(g)
        n = h.numel()
        silu_mul_kernel[(triton.cdiv(n, 1024),)](g, u, h, n, BLOCK=1024)
        return self.down(h)
