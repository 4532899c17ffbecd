# case: the product is taken through type(x).mm and the sum through the dunder method of the operand
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sigmoid_inplace_kernel(h_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = tl.load(h_ptr + i, mask=i < n, other=0.0)
    tl.store(h_ptr + i, 1.0 / (1.0 + tl.exp(-h)), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.w_ih = nn.Parameter(torch.randn(input_size, hidden_size) * 0.1)
        self.w_hh = nn.Parameter(torch.randn(hidden_size, hidden_size) * 0.1)

    def gate(self, x, h):
        kind = type(x)
        left = kind.mm(x, self.w_ih)
        right = h.__matmul__(self.w_hh)
        return left.__add__(right)

    def forward(self, x, h):
        pre = self.gate(x, h)
        n = pre.numel()
        sigmoid_inplace_kernel[(triton.cdiv(n, 256),)](pre, n, BLOCK=256)
        return pre
