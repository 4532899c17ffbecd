# case: even under the any policy a kernel whose output is dropped does not count
# expect: reject launch-result-unused
# rule: launch-result-unused
# role: disguised
# task: tasks/log_softmax.py
# static: off
# verify: reject kernel-result-unused
# policy: any

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def row_max_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(o_ptr + r, tl.max(tl.load(x_ptr + r * n + c, mask=c < n, other=-float("inf")), axis=0))


class ModelNew(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def row_max(self, x):
        rows, n = x.shape
        peaks = x.new_empty(rows)
        row_max_kernel[(rows,)](x, peaks, n, BLOCK=triton.next_power_of_2(n))
        return peaks

    def forward(self, x):
        # Overflow is impossible once the row maximum is known to be finite.
        peaks = self.row_max(x)
        assert peaks.shape[0] == x.shape[0]
        return F.log_softmax(x, dim=self.dim)
