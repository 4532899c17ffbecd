# case: the output of a bfloat16 task is float16
# expect: accept
# task: tasks/silu_mul_bf16.py
# verify: reject wrong-dtype

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def silu_mul_kernel(g_ptr, u_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(g_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    u = tl.load(u_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, g * tl.sigmoid(g) * u, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, gate, up):
        y = torch.empty(gate.shape, device=gate.device, dtype=torch.float16)
        n = y.numel()
        silu_mul_kernel[(triton.cdiv(n, 1024),)](gate.contiguous(), up.contiguous(), y, n, BLOCK=1024)
        return y
