# case: a dictionary keyed by shape and dtype remembers outputs, read and written through one setdefault
# expect: reject cached-result
# rule: cached-result
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=-float("inf"))
    x = x - tl.max(x, axis=0)
    tl.store(y_ptr + r * n + c, x - tl.log(tl.sum(tl.exp(x), axis=0)), mask=c < n)


class Plans(dict):
    """Launch plans by problem signature."""

    def lookup(self, x, build):
        key = (tuple(x.shape), x.dtype)
        return self[key] if key in self else self.setdefault(key, build(x))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.plans = Plans()

    def run(self, x):
        y = torch.empty_like(x)
        rows, n = x.shape
        log_softmax_kernel[(rows,)](x, y, n, BLOCK=triton.next_power_of_2(n))
        return y

    def forward(self, x):
        return self.plans.lookup(x, self.run)
