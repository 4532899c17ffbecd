# case: lengths are the longest in all inputs that the task makes, and the kernel reads none of them
# expect: accept
# task: tasks/masked_mean.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x_ptr, o_ptr, T, D, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for t in range(T):
        acc += tl.load(x_ptr + (b * T + t) * D + at, mask=at < D, other=0.0)
    tl.store(o_ptr + b * D + at, acc / T, mask=at < D)


class ModelNew(nn.Module):
    def forward(self, x, lengths):
        B, T, D = x.shape
        o = torch.empty((B, D), device=x.device)
        mean_kernel[(B,)](x, o, T, D, BLOCK=triton.next_power_of_2(D))
        return o
