# case: a helper class fetches the graph type by a folded name and uses its capture_begin and replay methods
# expect: reject cuda-graph
# rule: cuda-graph
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def abs_diff_kernel(a_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o_ptr + i, tl.abs(tl.load(a_ptr + i, mask=m) - tl.load(b_ptr + i, mask=m)), mask=m)


class Recorder:
    KIND = "CUDA" + "Graph"

    def __init__(self, fn):
        self.fn = fn
        self.tape = getattr(torch.cuda, self.KIND)()
        self.recorded = False

    def __call__(self, a, b, out):
        if not self.recorded:
            self.fn(a, b, out)
            self.tape.capture_begin()
            self.fn(a, b, out)
            self.tape.capture_end()
            self.recorded = True
        self.tape.replay()
        return out


def abs_diff(a, b, out):
    n = a.numel()
    abs_diff_kernel[(triton.cdiv(n, 1024),)](a, b, out, n, BLOCK=1024)


class ModelNew(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.register_buffer("out", torch.empty(size))
        self.player = Recorder(abs_diff)

    def forward(self, a, b):
        return self.player(a, b, self.out)
