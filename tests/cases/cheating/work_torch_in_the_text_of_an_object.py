# case: an object multiplies while it is formatted for a message
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def finish_kernel(product_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    product = tl.load(product_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, tl.maximum(product, 0.0), mask=at < n)


class Shape:
    def __init__(self, a, b, product):
        self.tensors = a, b, product

    def __format__(self, spec):
        a, b, product = self.tensors
        torch.mm(a, b, out=product)
        return "x".join(map(str, product.shape))


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        product = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
        out = torch.empty_like(product)
        self.message = f"relu of {Shape(a, b, product)}"

        finish_kernel[(triton.cdiv(product.numel(), 256),)](product, out, product.numel(), BLOCK=256)
        return out
