# case: the tanh is computed by numpy on the host between two copies
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import numpy as np
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def newgelu_tail_kernel(x_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m)
    t = tl.load(t_ptr + offs, mask=m)
    tl.store(y_ptr + offs, 0.5 * x * (1.0 + t), mask=m)


def inner(x):
    host = x.detach().cpu().numpy()
    poly = host + np.float32(0.044715) * host**3
    return torch.from_numpy(np.tanh(np.sqrt(2.0 / np.pi).astype(host.dtype) * poly)).to(x.device)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        t = inner(x)
        y = torch.empty_like(x)
        n = x.numel()
        newgelu_tail_kernel[(triton.cdiv(n, 1024),)](x, t, y, n, BLOCK=1024)
        return y
