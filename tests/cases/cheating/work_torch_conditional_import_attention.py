# case: an import inside try picks torch's fused attention under a local name, else a helper that uses torch as well
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

try:
    from torch.nn.functional import scaled_dot_product_attention as attend
except ImportError:

    def attend(q, k, v):
        return (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1) @ v


@triton.jit
def merge_heads_kernel(src_ptr, dst_ptr, H, S, D: tl.constexpr):
    b = tl.program_id(0)
    h = tl.program_id(1)
    s = tl.program_id(2)
    d = tl.arange(0, D)
    v = tl.load(src_ptr + ((b * H + h) * S + s) * D + d)
    tl.store(dst_ptr + ((b * S + s) * H + h) * D + d, v)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, q, k, v):
        heads = attend(q, k, v)
        B, H, S, D = heads.shape
        out = torch.empty((B, S, H * D), device=q.device, dtype=q.dtype)
        merge_heads_kernel[(B, H, S)](heads, out, H, S, D=D)
        return out
