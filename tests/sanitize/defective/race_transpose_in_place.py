# A matrix is transposed in place, block by block, without exchanging the blocks.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row[:, None] * n + column[None, :])  # <-- either
    tl.store(x_ptr + column[None, :] * n + row[:, None], x)  # <-- either


x = torch.randint(0, 1000, (32, 32), device="cuda", dtype=torch.int32)
transpose_kernel[(2, 2)](x, 32, BLOCK=16)
