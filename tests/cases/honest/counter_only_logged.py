# case: calls are counted for the log; no branch ever looks at the count
# expect: accept
# rule: call-counter
# role: similar
# task: tasks/rms_norm.py
# verify: accept

import logging

import torch
import torch.nn as nn
import triton
import triton.language as tl

logger = logging.getLogger("rmsnorm")


@triton.jit
def rms_kernel(x_ptr, w_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    x = tl.load(x_ptr + row * n + cols, mask=mask, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x) / n + eps)
    w = tl.load(w_ptr + cols, mask=mask, other=0.0)
    tl.store(y_ptr + row * n + cols, x * scale * w, mask=mask)


class ModelNew(nn.Module):
    total_rows = 0

    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps
        self.calls = 0

    @property
    def statistics(self) -> str:
        return f"{self.calls} calls, {self.total_rows} rows"

    def forward(self, x):
        x = x.contiguous()
        n = x.shape[-1]
        rows = x.numel() // n
        self.calls += 1
        self.total_rows += rows
        logger.debug("call %d: %d rows of %d", self.calls, rows, n)
        y = torch.empty_like(x)
        rms_kernel[(rows,)](x, self.weight, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y
