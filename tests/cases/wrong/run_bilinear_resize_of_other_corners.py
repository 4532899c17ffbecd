# case: images are resized between their edges, where the reference aligns the centres of their corners
# expect: accept
# task: tasks/bilinear_resize.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def resize_kernel(x_ptr, out_ptr, h, w, out_h, out_w, step_y, step_x, BLOCK: tl.constexpr):
    image = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < out_h * out_w
    y = tl.maximum(((at // out_w).to(tl.float32) + 0.5) * step_y - 0.5, 0.0)
    x = tl.maximum(((at % out_w).to(tl.float32) + 0.5) * step_x - 0.5, 0.0)
    top = tl.minimum(y.to(tl.int32), h - 1)
    left = tl.minimum(x.to(tl.int32), w - 1)
    bottom = tl.minimum(top + 1, h - 1)
    right = tl.minimum(left + 1, w - 1)
    down = y - top
    across = x - left
    upper_row = x_ptr + image * h * w + top * w
    lower_row = x_ptr + image * h * w + bottom * w
    upper = tl.load(upper_row + left, mask=inside) * (1 - across) + tl.load(upper_row + right, mask=inside) * across
    lower = tl.load(lower_row + left, mask=inside) * (1 - across) + tl.load(lower_row + right, mask=inside) * across
    tl.store(out_ptr + image * out_h * out_w + at, upper * (1 - down) + lower * down, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        x = x.contiguous()
        n, c, h, w = x.shape
        out_h, out_w = self.size
        out = torch.empty(n, c, out_h, out_w, device=x.device, dtype=x.dtype)
        resize_kernel[(n * c, triton.cdiv(out_h * out_w, 256))](x, out, h, w, out_h, out_w, h / out_h, w / out_w, BLOCK=256)
        return out
