# A step of the loop meets a number that is not finite.
# rule: device-assert
import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + start + tl.arange(0, BLOCK))
        tl.device_assert(x == x, "NaN in the input")  # <-- here
        total += x
    tl.store(out_ptr, tl.sum(total, 0))


x = torch.rand(256, device="cuda")
x[130] = float("nan")
out = torch.empty(1, device="cuda")
sum_kernel[(1,)](x, out, 256, BLOCK=64, debug=True)
