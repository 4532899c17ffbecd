# case: the task is to move data; torch moves it, and the kernel rewrites the first element with itself
# expect: reject copy-counts
# task: tasks/transpose.py
# static: off
# verify: reject torch-compute|kernel-result-unused|copy-counts

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def touch_kernel(y_ptr):
    tl.store(y_ptr, tl.load(y_ptr))


class ModelNew(nn.Module):
    def forward(self, x):
        y = x.transpose(0, 1).contiguous()
        touch_kernel[(1,)](y)
        return y
