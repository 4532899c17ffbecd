# Only blocks below the diagonal are stored.
# rule: unwritten-output
# host
import torch
import triton
import triton.language as tl


@triton.jit
def lower_product_kernel(a_ptr, out_ptr, n, BLOCK: tl.constexpr):
    block_row, block_column = tl.program_id(0), tl.program_id(1)
    if block_column <= block_row:
        row = block_row * BLOCK + tl.arange(0, BLOCK)
        column = block_column * BLOCK + tl.arange(0, BLOCK)
        product = tl.load(a_ptr + row)[:, None] * tl.load(a_ptr + column)[None, :]
        tl.store(out_ptr + row[:, None] * n + column[None, :], product)


a = torch.rand(64, device="cuda")
out = torch.empty(64, 64, device="cuda")
lower_product_kernel[(4, 4)](a, out, 64, BLOCK=16)
trace = (out * out).sum().item()  # <-- here
