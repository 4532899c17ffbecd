# case: the mutable default argument of forward carries the output from call to call
# expect: reject cached-result
# rule: cached-result
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cosine_kernel(a_ptr, b_ptr, o_ptr, d, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + r * d + c, mask=c < d, other=0.0)
    b = tl.load(b_ptr + r * d + c, mask=c < d, other=0.0)
    num = tl.sum(a * b, axis=0)
    den = tl.sqrt(tl.sum(a * a, axis=0) * tl.sum(b * b, axis=0))
    tl.store(o_ptr + r, num / den)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b, _slots=[]):
        if not _slots:
            rows, d = a.shape
            _slots.append(a.new_empty(rows))
            cosine_kernel[(rows,)](a, b, _slots[0], d, BLOCK=triton.next_power_of_2(d))
        return _slots[0]
