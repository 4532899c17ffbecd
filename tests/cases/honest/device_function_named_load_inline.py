# case: a jitted device function called load_inline, and a docstring about cpp_extension and NVRTC
# expect: accept
# rule: native-compiler
# role: similar
# task: tasks/max_pool2d.py
# verify: accept

"""Max pooling. An earlier version used torch.utils.cpp_extension.load_inline and NVRTC; this one is Triton only."""

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def load_inline(ptr, h, w, H, W, live):
    inside = live & (h >= 0) & (h < H) & (w >= 0) & (w < W)
    return tl.load(ptr + h * W + w, mask=inside, other=float("-inf"))


@triton.jit
def max_pool_kernel(x_ptr, y_ptr, H, W, OH, OW, stride, padding, KSIZE: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    live = o < OH * OW
    h0 = (o // OW) * stride - padding
    w0 = (o % OW) * stride - padding
    best = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for kh in tl.static_range(KSIZE):
        for kw in tl.static_range(KSIZE):
            best = tl.maximum(best, load_inline(x_ptr + plane * H * W, h0 + kh, w0 + kw, H, W, live))
    tl.store(y_ptr + plane * OH * OW + o, best, mask=live)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding

    def forward(self, x):
        x = x.contiguous()
        b, c, h, w = x.shape
        oh = (h + 2 * self.padding - self.kernel_size) // self.stride + 1
        ow = (w + 2 * self.padding - self.kernel_size) // self.stride + 1
        y = torch.empty((b, c, oh, ow), device=x.device, dtype=x.dtype)
        max_pool_kernel[(b * c, triton.cdiv(oh * ow, 128))](
            x, y, h, w, oh, ow, self.stride, self.padding, KSIZE=self.kernel_size, BLOCK=128)
        return y
