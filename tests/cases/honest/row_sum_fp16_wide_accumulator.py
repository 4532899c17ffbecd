# case: half precision rows summed in single precision, in a pipelined loop
# expect: accept
# task: tasks/row_sum_fp16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_sum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in tl.range(0, n, BLOCK, num_stages=STAGES):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * n + c, mask=c < n, other=0.0).to(tl.float32)
    tl.store(out_ptr + row, tl.sum(acc, axis=0).to(out_ptr.dtype.element_ty))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = x.new_empty(x.shape[0])
        row_sum_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=256, STAGES=3)
        return out
