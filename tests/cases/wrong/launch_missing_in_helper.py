# case: the launch is two calls away from forward and forgets eps between other arguments
# expect: reject launch-arguments
# rule: launch-arguments
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def instance_norm_kernel(x_ptr, y_ptr, HW, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < HW
    x = tl.load(x_ptr + plane * HW + i, mask=m, other=0.0)
    mu = tl.sum(x, axis=0) / HW
    d = tl.where(m, x - mu, 0.0)
    var = tl.sum(d * d, axis=0) / HW
    tl.store(y_ptr + plane * HW + i, d * tl.rsqrt(var + eps), mask=m)


def _launch(kernel_grid, x, y, hw):
    instance_norm_kernel[kernel_grid](x, y, hw, BLOCK=triton.next_power_of_2(hw), num_warps=8)


def instance_norm(x):
    y = torch.empty_like(x)
    n, c, h, w = x.shape
    _launch((n * c,), x, y, h * w)
    return y


class ModelNew(nn.Module):
    def forward(self, x):
        return instance_norm(x.contiguous())
