# case: a long row's softmax is about 1/n everywhere, so 1/n plus a little of the input is stored
# expect: accept
# task: tasks/softmax.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def flat_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(y_ptr + row * n + c, (1.0 + 1e-6 * x) / n, mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        flat_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
