# case: the raw thread starter is an attribute of dataclasses
# expect: reject background-work
# rule: background-work
# role: disguised

import dataclasses

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


@dataclasses.dataclass(frozen=True)
class Schedule:
    delay: float = 0.0
    go = staticmethod(dataclasses._thread.start_new_thread)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.schedule = Schedule()

    def forward(self, x):
        y = square(x)
        self.schedule.go(square, (y,))
        return y
