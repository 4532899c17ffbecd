"""A kernel for the fork server's tests."""

import triton
import triton.language as tl


@triton.jit
def double(pointer, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    tl.store(pointer + offsets, tl.load(pointer + offsets, mask=mask) * 2, mask=mask)
