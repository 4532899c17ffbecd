# case: launch arguments are unpacked from a dictionary in which source and destination are the same input
# expect: reject writes-input
# rule: writes-input
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def lerp_kernel(state_ptr, new_ptr, dst_ptr, n, w, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    s = tl.load(state_ptr + i, mask=m)
    tl.store(dst_ptr + i, s + w * (tl.load(new_ptr + i, mask=m) - s), mask=m)


class ModelNew(nn.Module):
    """Exponential moving average of two tensors."""

    def __init__(self, momentum: float = 0.9):
        super().__init__()
        self.w = 1.0 - momentum

    def launch_args(self, average, update):
        n = average.numel()
        return {
            "state_ptr": average,
            "new_ptr": update,
            "dst_ptr": average,
            "n": n,
            "w": self.w,
        }

    def forward(self, average, update):
        kw = self.launch_args(average, update)
        lerp_kernel[(triton.cdiv(kw["n"], 1024),)](**kw, BLOCK=1024)
        return average
