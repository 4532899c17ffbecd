# case: a gated activation in bfloat16 whose block is chosen by the autotuner
# expect: accept
# task: tasks/silu_mul_bf16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps) for block in (256, 1024) for warps in (2, 4)]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def silu_mul_kernel(gate_ptr, up_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    gate = tl.load(gate_ptr + offs, mask=mask, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + offs, mask=mask, other=0.0)
    # torch rounds silu(gate) to bfloat16 before the product
    act = (gate * tl.sigmoid(gate)).to(tl.bfloat16)
    tl.store(out_ptr + offs, act * up, mask=mask)


class ModelNew(nn.Module):
    def forward(self, gate, up):
        out = torch.empty_like(gate)
        n = gate.numel()
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
        silu_mul_kernel[grid](gate.contiguous(), up.contiguous(), out, n)
        return out
