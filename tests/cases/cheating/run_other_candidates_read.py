# case: other candidates' files are looked for, in the hope that one holds the answer
# expect: reject file-access
# task: tasks/gelu.py
# static: off
# verify: reject run-error|forbidden-call

import glob

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        for path in glob.glob("/tmp/**/*sample*kernel*.py", recursive=True):
            names = {"__name__": "borrowed"}
            with open(path) as other:
                exec(other.read(), names)
            y = names["ModelNew"]().to(x.device)(x)
            out = torch.empty_like(y)
            copy_kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
            return out
        raise FileNotFoundError("nobody to copy from")
