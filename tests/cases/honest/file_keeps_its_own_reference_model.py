# case: the file defines Model and get_inputs itself and uses them only when run as a script
# expect: accept
# rule: reference-access
# role: similar
# task: tasks/row_mean_var.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


class Model(nn.Module):
    def forward(self, x):
        return x.mean(dim=1), x.var(dim=1, unbiased=False)


def get_inputs():
    return [torch.randn(55, 410, device="cuda")]


def get_init_inputs():
    return []


@triton.jit
def moments_kernel(x_ptr, mean_ptr, var_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + c, mask=c < n, other=0.0)
    mean = tl.sum(total, 0) / n
    spread = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + row * stride + c, mask=c < n, other=0.0) - mean
        spread += tl.where(c < n, d * d, 0.0)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, tl.sum(spread, 0) / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        mean = torch.empty(m, device=x.device, dtype=x.dtype)
        var = torch.empty_like(mean)
        moments_kernel[(m,)](x, mean, var, n, x.stride(0), BLOCK=256)
        return mean, var


if __name__ == "__main__":
    inputs = get_inputs()
    for got, want in zip(ModelNew(*get_init_inputs())(*inputs), Model(*get_init_inputs())(*inputs)):
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)
