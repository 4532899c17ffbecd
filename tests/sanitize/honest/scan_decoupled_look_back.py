# A scan of any length in one launch: blocks publish their sum, then look back until they know what lies before them.
import torch
import triton
import triton.language as tl


@triton.jit
def scan_kernel(x_ptr, out_ptr, sum_ptr, prefix_ptr, state_ptr, n, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    at = block * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    total = tl.sum(x, 0)
    before = 0
    if block == 0:
        tl.store(prefix_ptr, total)
        tl.debug_barrier()
        tl.atomic_xchg(state_ptr, 2, sem="release")
    else:
        tl.store(sum_ptr + block, total)
        tl.debug_barrier()
        tl.atomic_xchg(state_ptr + block, 1, sem="release")
        other = block - 1
        while other >= 0:
            state = tl.atomic_add(state_ptr + other, 0, sem="acquire")
            while state == 0:
                state = tl.atomic_add(state_ptr + other, 0, sem="acquire")
            if state == 2:
                before += tl.load(prefix_ptr + other)
                other = -1
            else:
                before += tl.load(sum_ptr + other)
                other -= 1
        tl.store(prefix_ptr + block, before + total)
        tl.debug_barrier()
        tl.atomic_xchg(state_ptr + block, 2, sem="release")
    tl.store(out_ptr + at, before + tl.cumsum(x, 0), mask=at < n)


n, block = 500, 64
blocks = triton.cdiv(n, block)
x = torch.randint(-5, 6, (n,), device="cuda", dtype=torch.int32)
out = torch.empty_like(x)
sums = torch.empty(blocks, device="cuda", dtype=torch.int32)
prefixes = torch.empty(blocks, device="cuda", dtype=torch.int32)
state = torch.zeros(blocks, device="cuda", dtype=torch.int32)
scan_kernel[(blocks,)](x, out, sums, prefixes, state, n, BLOCK=block)
assert torch.equal(out.long(), x.long().cumsum(0))
