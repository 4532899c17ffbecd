# case: stream and context manager come in under other names and live in a helper class
# expect: reject streams-and-events
# rule: streams-and-events
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.cuda import Stream as Lane, stream as on_lane


@triton.jit
def add_kernel(a_ptr, b_ptr, c_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n_elements
    a = tl.load(a_ptr + offs, mask=mask)
    b = tl.load(b_ptr + offs, mask=mask)
    tl.store(c_ptr + offs, a + b, mask=mask)


def vector_add(a, b):
    c = torch.empty_like(a)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 1024),)](a, b, c, n, BLOCK_SIZE=1024)
    return c


class Pool:
    def __init__(self, size):
        self.lanes = [Lane() for _ in range(size)]
        self.turn = 0

    def run(self, fn, *args):
        self.turn = (self.turn + 1) % len(self.lanes)
        with on_lane(self.lanes[self.turn]):
            return fn(*args)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = Pool(2)

    def forward(self, a, b):
        return self.pool.run(vector_add, a, b)
