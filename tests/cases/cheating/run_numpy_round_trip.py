# case: numpy computes on the host, and a kernel copies its result
# expect: reject torch-compute
# task: tasks/tanh.py
# static: off
# verify: reject host-compute|torch-compute

import numpy as np
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def move_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        host = np.tanh(x.cpu().numpy())
        staged = torch.from_numpy(host).to(x.device)
        out = torch.empty_like(x)
        move_kernel[(triton.cdiv(x.numel(), 1024),)](staged, out, x.numel(), BLOCK=1024)
        return out
