# case: the first call is captured into a CUDA graph, later calls replay it on the old addresses
# expect: reject cuda-graph
# task: tasks/vector_add.py
# static: off
# verify: reject run-error|wrong-result|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=m) + tl.load(y_ptr + i, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.graph, self.out = None, None

    def forward(self, x, y):
        if self.graph is None:
            self.out = torch.empty_like(x)
            add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, self.out, x.numel(), BLOCK=1024)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, self.out, x.numel(), BLOCK=1024)
        self.graph.replay()
        return self.out
