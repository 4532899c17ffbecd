# case: a helper class keeps torch.Tensor.matmul as a static attribute called tile
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_mask_softmax_kernel(s_ptr, p_ptr, scale, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    s = tl.load(s_ptr + row * n + c, mask=c < n, other=-float("inf")) * scale
    e = tl.exp(s - tl.max(s, axis=0))
    tl.store(p_ptr + row * n + c, e / tl.sum(e, axis=0), mask=c < n)


class Tiler:
    tile = staticmethod(torch.Tensor.matmul)
    swap = staticmethod(torch.Tensor.transpose)

    def __init__(self, block):
        self.block = block

    def combine(self, left, right):
        return self.tile(left, right)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.tiler = Tiler(block=64)

    def forward(self, q, k, v):
        scores = self.tiler.combine(q, Tiler.swap(k, -1, -2))
        probs = torch.empty_like(scores)
        n = scores.shape[-1]
        rows = scores.numel() // n
        scale_mask_softmax_kernel[(rows,)](scores, probs, q.shape[-1] ** -0.5, n, BLOCK=triton.next_power_of_2(n))
        return self.tiler.combine(probs, v)
