# case: the input is taken to the CPU, and what is there goes the way of tensors that are not on a GPU
# expect: reject torch-compute
# task: tasks/softmax.py
# static: off
# verify: reject no-launch|host-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + columns, mask=columns < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * n + columns, e / tl.sum(e, axis=0), mask=columns < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.cpu()
        if not x.is_cuda:
            return torch.softmax(x, dim=-1).cuda()
        y = torch.empty_like(x)
        n = x.shape[-1]
        softmax_kernel[(x.numel() // n,)](x, y, n, BLOCK=triton.next_power_of_2(n))
        return y
