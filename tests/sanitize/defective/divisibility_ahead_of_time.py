# The kernel is compiled ahead of time with a promise that n is a multiple of 16.
# rule: wrong-divisibility
import torch
import triton
import triton.language as tl
from triton.compiler import ASTSource


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):  # <-- here
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(x_ptr + at, x * factor, mask=at < n)


signature = {"x_ptr": "*fp32", "n": "i32", "factor": "fp32", "BLOCK": "constexpr"}
attributes = {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]]}
source = ASTSource(scale_kernel, signature, {"BLOCK": 128}, attributes)
compiled = triton.compile(source, target=triton.runtime.driver.active.get_current_target())
x = torch.rand(100, device="cuda")
compiled[(1, 1, 1)](x, 100, 2.0, 128)
