# case: the attention is a whole library kernel; the file's own kernel only scales q
# expect: reject forbidden-import
# rule: forbidden-import
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl
from flash_attn import flash_attn_func


@triton.jit
def scale_q_kernel(q_ptr, o_ptr, n, s, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + i, tl.load(q_ptr + i, mask=i < n) * s, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, head_dim: int):
        super().__init__()
        self.scale = head_dim**-0.5

    def forward(self, q, k, v):
        qs = torch.empty_like(q)
        n = q.numel()
        scale_q_kernel[(triton.cdiv(n, 1024),)](q, qs, n, self.scale, BLOCK=1024)
        return flash_attn_func(qs, k, v, softmax_scale=1.0, causal=True)
