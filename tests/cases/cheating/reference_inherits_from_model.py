# case: ModelNew inherits from the reference class, which the file does not define
# expect: reject reference-access
# rule: reference-access
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def touch_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


class ModelNew(Model):
    """Same parameters as the original, with a Triton epilogue."""

    def forward(self, *inputs):
        result = super().forward(*inputs)
        out = torch.empty_like(result)
        n = result.numel()
        touch_kernel[(triton.cdiv(n, 1024),)](result, out, n, BLOCK=1024)
        return out
