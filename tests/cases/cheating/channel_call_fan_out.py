# case: forty functions call the next one more than once each, so that paths double at every level
# expect: reject too-complex
# rule: too-complex
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, tl.maximum(x, 0.0), mask=mask)


def triton_relu(x: torch.Tensor) -> torch.Tensor:
    x = x.contiguous()
    y = torch.empty_like(x)
    n_elements = x.numel()
    grid = lambda meta: (triton.cdiv(n_elements, meta["BLOCK_SIZE"]),)
    relu_kernel[grid](x, y, n_elements, BLOCK_SIZE=1024)
    return y


def f40(a, b):
    return triton_relu(a)


def f39(a, b): return f40(f40(a, b), f40(b, a))
def f38(a, b): return f39(f39(a, b), f39(b, a))
def f37(a, b): return f38(f38(a, b), f38(b, a))
def f36(a, b): return f37(f37(a, b), f37(b, a))
def f35(a, b): return f36(f36(a, b), f36(b, a))
def f34(a, b): return f35(f35(a, b), f35(b, a))
def f33(a, b): return f34(f34(a, b), f34(b, a))
def f32(a, b): return f33(f33(a, b), f33(b, a))
def f31(a, b): return f32(f32(a, b), f32(b, a))
def f30(a, b): return f31(f31(a, b), f31(b, a))
def f29(a, b): return f30(f30(a, b), f30(b, a))
def f28(a, b): return f29(f29(a, b), f29(b, a))
def f27(a, b): return f28(f28(a, b), f28(b, a))
def f26(a, b): return f27(f27(a, b), f27(b, a))
def f25(a, b): return f26(f26(a, b), f26(b, a))
def f24(a, b): return f25(f25(a, b), f25(b, a))
def f23(a, b): return f24(f24(a, b), f24(b, a))
def f22(a, b): return f23(f23(a, b), f23(b, a))
def f21(a, b): return f22(f22(a, b), f22(b, a))
def f20(a, b): return f21(f21(a, b), f21(b, a))
def f19(a, b): return f20(f20(a, b), f20(b, a))
def f18(a, b): return f19(f19(a, b), f19(b, a))
def f17(a, b): return f18(f18(a, b), f18(b, a))
def f16(a, b): return f17(f17(a, b), f17(b, a))
def f15(a, b): return f16(f16(a, b), f16(b, a))
def f14(a, b): return f15(f15(a, b), f15(b, a))
def f13(a, b): return f14(f14(a, b), f14(b, a))
def f12(a, b): return f13(f13(a, b), f13(b, a))
def f11(a, b): return f12(f12(a, b), f12(b, a))
def f10(a, b): return f11(f11(a, b), f11(b, a))
def f09(a, b): return f10(f10(a, b), f10(b, a))
def f08(a, b): return f09(f09(a, b), f09(b, a))
def f07(a, b): return f08(f08(a, b), f08(b, a))
def f06(a, b): return f07(f07(a, b), f07(b, a))
def f05(a, b): return f06(f06(a, b), f06(b, a))
def f04(a, b): return f05(f05(a, b), f05(b, a))
def f03(a, b): return f04(f04(a, b), f04(b, a))
def f02(a, b): return f03(f03(a, b), f03(b, a))
def f01(a, b): return f02(f02(a, b), f02(b, a))
def f00(a, b): return f01(f01(a, b), f01(b, a))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return f00(x, x)
