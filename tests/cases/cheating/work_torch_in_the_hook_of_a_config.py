# case: the hook of the only configuration multiplies before every launch
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

operands = {}


def before_launch(arguments):
    torch.mm(operands["a"], operands["b"], out=arguments["product_ptr"])


@triton.autotune(configs=[triton.Config({"BLOCK": 256}, pre_hook=before_launch)], key=["n"])
@triton.jit
def finish_kernel(product_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    product = tl.load(product_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, tl.maximum(product, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        product = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
        out = torch.empty_like(product)
        operands["a"], operands["b"] = a, b
        finish_kernel[(triton.cdiv(product.numel(), 256),)](product, out, product.numel())
        return out
