# case: a format cuts the name of the torch function out of a longer string
# expect: reject opaque-attribute
# rule: opaque-attribute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

_KIND = "bmm_fp16"
_batched = getattr(torch, f"{_KIND:.3}")


@triton.jit
def twice_negated_kernel(src_ptr, dst_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(src_ptr + offs, mask=mask)
    tl.store(dst_ptr + offs, -(-v), mask=mask)


def batched_product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    acc = _batched(a, b)
    c = torch.empty_like(acc)
    n = acc.numel()
    twice_negated_kernel[(triton.cdiv(n, 1024),)](acc, c, n, BLOCK=1024)
    return c


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        return batched_product(a, b)
