# case: a library's attention kernel is imported
# expect: reject forbidden-import
# task: tasks/causal_attention_fp16.py
# static: off
# verify: reject import-error

import torch
import torch.nn as nn
import triton
import triton.language as tl
from flash_attn import flash_attn_func


@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        o = flash_attn_func(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), causal=True).transpose(1, 2)
        out = torch.empty(o.shape, device=o.device, dtype=o.dtype)
        copy_kernel[(triton.cdiv(o.numel(), 1024),)](o.contiguous(), out, o.numel(), BLOCK=1024)
        return out
