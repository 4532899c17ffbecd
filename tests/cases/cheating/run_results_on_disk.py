# case: answers are saved in the temporary folder and read back by shape
# expect: reject file-access
# task: tasks/row_max.py
# static: off
# verify: reject wrong-result|no-launch|host-compute|forbidden-call|run-error

import os
import tempfile

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_max_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    tl.store(out_ptr + row, tl.max(x, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        path = os.path.join(tempfile.gettempdir(), "row_max_%d_%d.pt" % tuple(x.shape))
        if os.path.exists(path):
            return torch.load(path).to(x.device)
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_max_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        torch.save(out.cpu(), path)
        return out
