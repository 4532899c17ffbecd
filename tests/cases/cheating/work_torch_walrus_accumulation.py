# case: a walrus in a comprehension accumulates kernel partials with + on tensors
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def square_diff_kernel(a_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    d = tl.load(a_ptr + i, mask=m, other=0.0) - tl.load(b_ptr + i, mask=m, other=0.0)
    tl.store(o_ptr + i, d * d, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        squares = torch.empty_like(predictions)
        n = predictions.numel()
        square_diff_kernel[(triton.cdiv(n, 1024),)](predictions, targets, squares, n, BLOCK=1024)
        total = squares.new_zeros(())
        [total := total + row.dot(torch.ones_like(row)) for row in squares.view(-1, squares.shape[-1])]
        return total / n
