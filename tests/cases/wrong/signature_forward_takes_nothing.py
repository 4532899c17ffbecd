# case: forward takes no input at all and works on a buffer of the module
# expect: reject signature-mismatch
# rule: signature-mismatch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def square_kernel(src_ptr, dst_ptr, length, BLOCK: tl.constexpr):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    valid = where < length
    value = tl.load(src_ptr + where, mask=valid)
    tl.store(dst_ptr + where, value * value, mask=valid)


def square(x):
    dst = torch.empty_like(x, memory_format=torch.contiguous_format)
    square_kernel[(triton.cdiv(x.numel(), 1024),)](x, dst, x.numel(), BLOCK=1024)
    return dst


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("x", torch.ones(1024))

    def forward(self):
        return square(self.x)
