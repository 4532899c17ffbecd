# case: functools.reduce with operator.matmul multiplies a chain of matrices
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import functools
import operator

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _store_trace_scaled(m_ptr, o_ptr, n, alpha, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = offs < n
    tl.store(o_ptr + offs, alpha * tl.load(m_ptr + offs, mask=keep), mask=keep)


class ModelNew(nn.Module):
    def __init__(self, alpha: float = 0.5):
        super().__init__()
        self.alpha = alpha

    def forward(self, a, b, c):
        chain = functools.reduce(operator.matmul, (a, b, c))
        out = torch.empty_like(chain)
        n = chain.numel()
        _store_trace_scaled[(triton.cdiv(n, 2048),)](chain, out, n, self.alpha, BLOCK=2048)
        return out
