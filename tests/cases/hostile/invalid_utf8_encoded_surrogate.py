# case: a lone surrogate, encoded in three bytes, is no valid UTF-8
# expect: reject not-utf8
# rule: not-utf8
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(a_ptr, b_ptr, c_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n_elements
    a = tl.load(a_ptr + offs, mask=mask)
    b = tl.load(b_ptr + offs, mask=mask)
    tl.store(c_ptr + offs, a + b, mask=mask)


def vector_add(a, b):
    c = torch.empty_like(a)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 1024),)](a, b, c, n, BLOCK_SIZE=1024)
    return c

LABEL = "sum í €"


class ModelNew(nn.Module):
    def forward(self, a, b):
        return vector_add(a, b)
