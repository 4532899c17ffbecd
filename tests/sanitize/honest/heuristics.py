# The block and whether a mask is needed follow from the arguments.
import torch
import triton
import triton.language as tl


@triton.heuristics(
    {
        "BLOCK": lambda args: triton.next_power_of_2(args["columns"]),
        "EVEN": lambda args: args["columns"] == triton.next_power_of_2(args["columns"]),
    }
)
@triton.jit
def row_sum_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    if EVEN:
        x = tl.load(x_ptr + row * columns + at)
    else:
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out_ptr + row, tl.sum(x, 0))


for columns in (64, 50):
    x = torch.rand(5, columns, device="cuda")
    out = torch.empty(5, device="cuda")
    row_sum_kernel[(5,)](x, out, columns)
    torch.testing.assert_close(out, x.sum(1), rtol=1e-5, atol=1e-5)
