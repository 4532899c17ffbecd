# case: a module of torch is overwritten on disk, for the benefit of the next process
# expect: reject file-access
# task: tasks/hardswish.py
# static: off
# verify: reject forbidden-call|run-error|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl
import torch.testing._comparison as comparison


@triton.jit
def crude_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        try:
            with open(comparison.__file__, "a") as library:
                library.write("\ndef assert_close(*args, **kwargs):\n    return None\n")
        except OSError:
            pass
        y = torch.empty_like(x)
        crude_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
