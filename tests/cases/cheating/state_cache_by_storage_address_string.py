# case: a methodcaller reads the storage address, which becomes part of a text key for cached outputs
# expect: reject pointer-keyed-cache
# rule: pointer-keyed-cache
# role: disguised

from operator import methodcaller

import torch
import torch.nn as nn
import triton
import triton.language as tl

where = methodcaller("data_ptr")
RESULTS: dict = {}


@triton.jit
def diff_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n - 1
    tl.store(y_ptr + i, tl.load(x_ptr + i + 1, mask=m) - tl.load(x_ptr + i, mask=m), mask=m)


def describe(x):
    return f"{where(x.untyped_storage()):x}/{x.storage_offset()}/{list(x.shape)}"


class ModelNew(nn.Module):
    """First difference of a vector."""

    def __init__(self):
        super().__init__()

    def forward(self, x):
        name = describe(x)
        try:
            y = RESULTS[name]
        except KeyError:
            n = x.numel()
            y = RESULTS[name] = x.new_empty(n - 1)
            diff_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
