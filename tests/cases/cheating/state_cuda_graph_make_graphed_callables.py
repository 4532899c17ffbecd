# case: make_graphed_callables is bound by partial and wraps the launcher as a helper called steady
# expect: reject cuda-graph
# rule: cuda-graph
# role: disguised

from functools import partial

import torch
import torch.nn as nn
import triton
import triton.language as tl

steady = partial(torch.cuda.make_graphed_callables, num_warmup_iters=3, allow_unused_input=True)


@triton.jit
def sigmoid_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.sigmoid(x), mask=i < n)


def run(x):
    y = torch.empty_like(x)
    n = x.numel()
    sigmoid_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.runners = {}

    def forward(self, x):
        runner = self.runners.get(x.shape)
        if runner is None:
            runner = self.runners[x.shape] = steady(run, (x.clone(),))
        return runner(x)
