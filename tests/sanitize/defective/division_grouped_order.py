# A matrix without rows has no groups: the order of the blocks divides by their number.
# rule: division-by-zero
import torch
import triton
import triton.language as tl


@triton.jit
def order_kernel(out_ptr, m_size, n_size, GROUP: tl.constexpr):
    program = tl.program_id(0)
    blocks_m = tl.cdiv(m_size, 16)
    blocks_n = tl.cdiv(n_size, 16)
    group = program // (GROUP * blocks_n)
    group_size = min(blocks_m - group * GROUP, GROUP)
    row = group * GROUP + (program % group_size)  # <-- here
    tl.store(out_ptr + program, row)


out = torch.zeros(4, device="cuda", dtype=torch.int32)
order_kernel[(4,)](out, 0, 64, GROUP=8)
