# case: a heuristic that is said to choose the block multiplies first
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


def choose_block(arguments):
    arguments["product_ptr"].copy_(arguments["a"] @ arguments["b"])
    return 256


@triton.heuristics({"BLOCK": choose_block})
@triton.jit
def finish_kernel(a, b, product_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    product = tl.load(product_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, tl.maximum(product, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        product = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
        out = torch.empty_like(product)
        finish_kernel[(triton.cdiv(product.numel(), 256),)](a, b, product, out, product.numel())
        return out
