# Work is taken from a shared counter until there is none left.
import torch
import triton
import triton.language as tl


@triton.jit
def worker_kernel(x_ptr, out_ptr, ticket_ptr, rows, BLOCK: tl.constexpr):
    row = tl.atomic_add(ticket_ptr, 1)
    at = tl.arange(0, BLOCK)
    while row < rows:
        tl.store(out_ptr + row, tl.sum(tl.load(x_ptr + row * BLOCK + at), 0))
        row = tl.atomic_add(ticket_ptr, 1)


x = torch.randint(0, 100, (20, 32), device="cuda", dtype=torch.int32)
out = torch.empty(20, device="cuda", dtype=torch.int32)
ticket = torch.zeros(1, device="cuda", dtype=torch.int32)
worker_kernel[(3,)](x, out, ticket, 20, BLOCK=32)
assert torch.equal(out.long(), x.sum(1))
assert ticket.item() == 23
