# case: a coroutine computes the first answer it is sent and yields it for ever after
# expect: reject cached-result
# rule: cached-result
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cubic_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * x * x, mask=i < n)


def server():
    x = yield
    y = torch.empty_like(x)
    n = x.numel()
    cubic_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    while True:
        x = yield y


class ModelNew(nn.Module):
    """Persistent launcher: avoids the set-up cost of every call."""

    def __init__(self):
        super().__init__()
        self.stream = server()
        next(self.stream)

    def forward(self, x):
        return self.stream.send(x)
