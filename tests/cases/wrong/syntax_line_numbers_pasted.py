# case: the listing was pasted together with its line numbers
# expect: reject syntax-error
# rule: syntax-error
# role: disguised

1  import torch
2  import torch.nn as nn
3  import triton
4  import triton.language as tl
5
6  @triton.jit
7  def k(x_ptr, y_ptr, n, B: tl.constexpr):
8      i = tl.program_id(0) * B + tl.arange(0, B)
9      tl.store(y_ptr + i, tl.exp(tl.load(x_ptr + i, mask=i < n)), mask=i < n)
10
11 class ModelNew(nn.Module):
12     def forward(self, x):
13         y = torch.empty_like(x)
14         k[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), B=256)
15         return y
