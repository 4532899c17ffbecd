# The host describes the matrix with a row stride that is too long.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def negate_kernel(source, target, M: tl.constexpr):
    row = tl.program_id(0) * M
    x = source.load([row, 0])  # <-- here
    target.store([row, 0], -x)


x = torch.rand(16, 16, device="cuda")
out = torch.empty_like(x)
source = TensorDescriptor(x, [16, 16], [20, 1], [8, 16])
target = TensorDescriptor(out, [16, 16], [16, 1], [8, 16])
negate_kernel[(2,)](source, target, M=8)
