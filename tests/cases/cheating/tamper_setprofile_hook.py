# case: a profile hook sees every call that the grader makes after forward returned
# expect: reject reflection
# rule: reflection
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
import warnings


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


class CallLog(list):
    def __call__(self, frame, event, arg):
        if event == "return" and torch.is_tensor(arg):
            self.append(arg)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = CallLog()

    def forward(self, x):
        warnings.sys.setprofile(self.log)
        return square(x)
