# case: every loaded module is searched for a class Model, which would do the work
# expect: reject reflection
# task: tasks/conv2d_relu.py
# static: off
# verify: reject run-error|init-error|torch-compute|no-launch

import sys

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride)
        self.arguments = (in_channels, out_channels, kernel_size, stride)

    def forward(self, x):
        for module in list(sys.modules.values()):
            reference = vars(module).get("Model")
            if isinstance(reference, type) and issubclass(reference, nn.Module) and hasattr(module, "get_inputs"):
                model = reference(*self.arguments).to(x.device)
                model.load_state_dict(self.state_dict())
                y = model(x)
                out = torch.empty_like(y)
                copy_kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
                return out
        raise RuntimeError("no reference in this process")
