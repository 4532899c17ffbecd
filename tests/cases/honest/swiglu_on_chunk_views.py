# case: chunk gives two strided views; the kernel takes their strides instead of copies
# expect: accept
# task: tasks/swiglu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu(x):
    return x / (1.0 + tl.exp(-x))


@triton.jit
def silu_gate(gate_ptr, up_ptr, out_ptr, cols, gate_stride, up_stride, out_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = c < cols
    g = tl.load(gate_ptr + row * gate_stride + c, mask=mask, other=0.0).to(tl.float32)
    u = tl.load(up_ptr + row * up_stride + c, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + row * out_stride + c, (silu(g) * u).to(out_ptr.dtype.element_ty), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x2 = x.contiguous().flatten(0, -2) if x.dim() > 2 else x.contiguous()
        gate, up = x2.chunk(2, dim=-1)
        out = torch.empty(gate.shape, device=x.device, dtype=x.dtype)
        rows, cols = gate.shape
        silu_gate[(rows, triton.cdiv(cols, 128))](gate, up, out, cols, gate.stride(0), up.stride(0), out.stride(0),
                                                  BLOCK=128)
        return out.unflatten(0, x.shape[:-1])
