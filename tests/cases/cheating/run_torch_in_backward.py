# case: the product is the gradient of a bilinear form, so that autograd's engine computes it
# expect: reject torch-compute
# task: tasks/matmul_transposed.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, probe, a, b):
        ctx.save_for_backward(a, b)
        return probe.new_zeros(())

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return torch.mm(a, b.t()), None, None


class ModelNew(nn.Module):
    def forward(self, a, b):
        with torch.enable_grad():
            probe = torch.zeros((a.shape[0], b.shape[0]), device=a.device, requires_grad=True)
            product, = torch.autograd.grad(Product.apply(probe, a, b), probe)
        out = torch.empty_like(product)
        copy_kernel[(triton.cdiv(out.numel(), 1024),)](product, out, out.numel(), BLOCK=1024)
        return out
