# case: the launch is captured in a CUDA graph once and replayed on stale pointers afterwards
# expect: reject cuda-graph
# rule: cuda-graph
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_mul_kernel(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(o_ptr + i, x + x * tl.load(y_ptr + i, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.graph = None

    def forward(self, x, y):
        if self.graph is None:
            self.out = torch.empty_like(x)
            n = x.numel()
            grid = (triton.cdiv(n, 1024),)
            add_mul_kernel[grid](x, y, self.out, n, BLOCK=1024)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                add_mul_kernel[grid](x, y, self.out, n, BLOCK=1024)
        self.graph.replay()
        return self.out
