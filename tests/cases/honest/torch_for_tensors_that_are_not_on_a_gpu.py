# case: another way for tensors on a CPU, which forward is never given
# expect: accept
# task: tasks/softmax.py
# verify: accept

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
        if not torch.cuda.is_available() or not x.is_cuda:
            return torch.softmax(x, dim=-1)
        if x.device.type != "cuda":
            return torch.softmax(x, dim=-1)
        y = torch.empty_like(x)
        n = x.shape[-1]
        softmax_kernel[(x.numel() // n,)](x, y, n, BLOCK=triton.next_power_of_2(n))
        return y
