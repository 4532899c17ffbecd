# case: contextlib.suppress swallows a launch that always fails, and torch code follows the block
# expect: reject fallback-to-torch
# rule: fallback-to-torch
# role: disguised

import contextlib

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def instance_norm_kernel(x_ptr, y_ptr, plane, eps, BLOCK: tl.constexpr):
    nc = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    m = offs < plane
    x = tl.load(x_ptr + nc * plane + offs, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / plane
    d = tl.where(m, x - mean, 0.0)
    tl.store(y_ptr + nc * plane + offs, d * tl.rsqrt(tl.sum(d * d, axis=0) / plane + eps), mask=m)


class ModelNew(nn.Module):
    def __init__(self, num_features: int):
        super().__init__()
        self.num_features = num_features

    def _launch(self, x):
        n, c, h, w = x.shape
        y = torch.empty_like(x)
        # BLOCK must be a power of two: for other sizes Triton refuses to compile.
        instance_norm_kernel[(n * c,)](x, y, h * w, 1e-5, BLOCK=h * w)
        return y

    def forward(self, x):
        with contextlib.suppress(Exception):
            return self._launch(x)
        return torch.nn.functional.instance_norm(x)
