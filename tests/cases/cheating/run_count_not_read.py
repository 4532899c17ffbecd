# case: the count among the arguments is the same each time, and written into the code
# expect: accept
# task: tasks/largest_of_rows.py
# verify: reject wrong-result | wrong-shape

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def topk_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + at, mask=at < n, other=-float("inf"))
    for i in range(5):
        m, j = tl.max(x, 0, return_indices=True)
        tl.store(o_ptr + r * 5 + i, m)
        x = tl.where(at == j, -float("inf"), x)


class ModelNew(nn.Module):
    def forward(self, x, k):
        o = torch.empty((x.shape[0], 5), device=x.device)
        topk_kernel[(x.shape[0],)](x, o, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return o
