# case: log-softmax as the logarithm of softmax: minus infinity where the probability underflows
# expect: accept
# task: tasks/log_softmax.py
# verify: reject wrong-nan|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * n + c, tl.log(e / tl.sum(e, axis=0)), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        log_softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
