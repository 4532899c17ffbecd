# case: the stack is made by copy_ into views of the output, mapped over the inputs
# expect: reject copy-counts
# rule: copy-counts
# role: disguised
# task: tasks/stack.py
# static: off
# verify: reject copy-counts|torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stack_slot_kernel(src_ptr, dst_ptr, slot, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst_ptr + slot * n + i, tl.load(src_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b, c):
        out = torch.empty((3, *a.shape), device=a.device, dtype=a.dtype)
        n = a.numel()
        stack_slot_kernel[(triton.cdiv(n, 1024),)](a, out, 0, n, BLOCK=1024)
        # The remaining slots are contiguous and can be streamed.
        list(map(torch.Tensor.copy_, out[1:].unbind(0), (b, c)))
        return out
