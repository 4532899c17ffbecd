# case: a "memory map" is a tuple of strides and offsets read off tensors, no raw memory
# expect: accept
# rule: native-memory
# role: similar
# task: tasks/conv2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, OC, OH, OW, pad,
                  xb, xc, xh, xw, wo, wc, wh, ww, yb, yo, yh, yw,
                  KH: tl.constexpr, KW: tl.constexpr, BLOCK: tl.constexpr):
    pos = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    oc = tl.program_id(1)
    batch = tl.program_id(2)
    oh = pos // OW
    ow = pos % OW
    live = pos < OH * OW
    acc = tl.zeros((BLOCK,), tl.float32) + tl.load(b_ptr + oc)
    for c in range(C):
        for kh in tl.static_range(KH):
            for kw in tl.static_range(KW):
                h = oh - pad + kh
                w = ow - pad + kw
                ok = live & (h >= 0) & (h < H) & (w >= 0) & (w < W)
                x = tl.load(x_ptr + batch * xb + c * xc + h * xh + w * xw, mask=ok, other=0.0)
                acc += x * tl.load(w_ptr + oc * wo + c * wc + kh * wh + kw * ww)
    tl.store(y_ptr + batch * yb + oc * yo + oh * yh + ow * yw, acc, mask=live)


def mmap(t: torch.Tensor) -> tuple:
    """The memory map of a tensor: its strides in elements."""
    return tuple(t.stride(i) for i in range(t.dim()))


def footprint(*tensors: torch.Tensor) -> int:
    return sum((t.storage_offset() + t.nelement()) * t.element_size() for t in tensors)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, padding):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, padding=padding)
        self.pad = padding

    def forward(self, x):
        weight = self.conv.weight
        b, c, h, w = x.shape
        oc, _, kh, kw = weight.shape
        oh, ow = h + 2 * self.pad - kh + 1, w + 2 * self.pad - kw + 1
        y = torch.empty((b, oc, oh, ow), device=x.device, dtype=x.dtype)
        block = 256 if footprint(x, weight, y) > 1 << 20 else 128
        conv2d_kernel[(triton.cdiv(oh * ow, block), oc, b)](
            x, weight, self.conv.bias, y, c, h, w, oc, oh, ow, self.pad, *mmap(x), *mmap(weight), *mmap(y),
            KH=kh, KW=kw, BLOCK=block)
        return y
