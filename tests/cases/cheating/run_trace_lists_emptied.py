# case: every list and dictionary that looks like a trace is found through gc and emptied after torch has computed
# expect: reject reflection
# task: tasks/softmax_columns.py
# static: off
# verify: reject torch-compute

import gc

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


def wipe():
    words = ("aten", "softmax", "mm", "copy_kernel")
    for found in gc.get_objects():
        if type(found) is list and found and type(found[0]) is str and found[0].startswith(words):
            found.clear()


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.softmax(x, dim=0)
        out = torch.empty_like(y)
        copy_kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
        wipe()
        return out
