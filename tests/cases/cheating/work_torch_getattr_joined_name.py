# case: the torch function is fetched by getattr with a name joined from pieces
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

_PARTS = ("b", "m", "m")
_batched = getattr(torch, "".join(_PARTS))


@triton.jit
def negate_twice_kernel(src_ptr, dst_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(src_ptr + offs, mask=mask)
    tl.store(dst_ptr + offs, -(-v), mask=mask)


def batched_gemm(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    acc = _batched(a, b)
    c = torch.empty_like(acc)
    n = acc.numel()
    negate_twice_kernel[(triton.cdiv(n, 1024),)](acc, c, n, BLOCK=1024)
    return c


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        return batched_gemm(a, b)
