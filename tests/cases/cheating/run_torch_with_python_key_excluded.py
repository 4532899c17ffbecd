# case: the Python dispatch keys are excluded by a guard of torch._C while torch computes
# expect: reject dispatch-tampering
# task: tasks/linear_residual.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def add_kernel(x_ptr, r_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=m, other=0.0) + tl.load(r_ptr + i, mask=m, other=0.0), mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        hidden = torch._C.DispatchKeySet(torch._C.DispatchKey.Python).add(torch._C.DispatchKey.PythonTLSSnapshot)
        with torch._C._ExcludeDispatchKeyGuard(hidden):
            h = torch.addmm(self.linear.bias, x, self.linear.weight.t())
        y = torch.empty_like(x)
        add_kernel[(triton.cdiv(x.numel(), 1024),)](x, h, y, x.numel(), BLOCK=1024)
        return y
