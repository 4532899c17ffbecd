# case: the body of a kernel that torch ships is fetched by a joined name, jitted and tuned again, and kept in a table
# expect: reject library-kernel
# rule: library-kernel
# role: disguised
# task: tasks/vector_add.py

from operator import attrgetter, getitem

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.testing import _internal


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=live) * scale, mask=live)


class Kernels:
    fetched = attrgetter("triton_utils.add_" + "kernel")(_internal)
    tuned = triton.autotune([triton.Config({"BLOCK_SIZE": 256})], key=["n_elements"])
    table = {"sum": tuned(triton.jit(fetched.fn)), "scale": scale_kernel}


class ModelNew(nn.Module):
    def forward(self, x, y):
        n = x.numel()
        total = torch.empty_like(x)
        run = getitem(Kernels.table["sum"], (triton.cdiv(n, 256),))
        run(x, y, total, n)
        out = torch.empty_like(x)
        Kernels.table["scale"][(triton.cdiv(n, 1024),)](total, out, n, 1.0, BLOCK=1024)
        return out
