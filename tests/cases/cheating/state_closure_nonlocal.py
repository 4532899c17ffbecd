# case: a closure keeps the output in a nonlocal variable behind a function that looks like a launcher
# expect: reject cached-result
# rule: cached-result
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def logsumexp_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=-float("inf"))
    top = tl.max(x, axis=0)
    tl.store(o_ptr + r, top + tl.log(tl.sum(tl.exp(x - top), axis=0)))


def make_launcher():
    ready, buffer = False, None

    def launch(x):
        nonlocal ready, buffer
        if ready:
            return buffer
        rows, n = x.shape
        buffer = torch.empty(rows, device=x.device, dtype=x.dtype)
        logsumexp_kernel[(rows,)](x, buffer, n, BLOCK=triton.next_power_of_2(n))
        ready = True
        return buffer

    return launch


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.launch = make_launcher()

    def forward(self, x):
        return self.launch(x)
