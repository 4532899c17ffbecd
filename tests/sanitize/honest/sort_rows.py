# Rows sorted up and down.
import torch
import triton
import triton.language as tl


@triton.jit
def sort_kernel(x_ptr, out_ptr, DESCENDING: tl.constexpr, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out_ptr + at, tl.sort(tl.load(x_ptr + at), descending=DESCENDING))


for dtype in (torch.float32, torch.int32, torch.int16):
    x = torch.randint(-1000, 1000, (6, 64), device="cuda").to(dtype)
    for descending in (False, True):
        out = torch.empty_like(x)
        sort_kernel[(6,)](x, out, DESCENDING=descending, N=64)
        assert torch.equal(out, torch.sort(x, dim=1, descending=descending).values)
