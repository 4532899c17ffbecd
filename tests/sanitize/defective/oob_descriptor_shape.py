# The descriptor is made for more rows than the tensor has.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, shape=[rows + 2, columns], strides=[columns, 1], block_shape=[M, N])
    target = tl.make_tensor_descriptor(out_ptr, shape=[rows, columns], strides=[columns, 1], block_shape=[M, N])
    row = tl.program_id(0) * M
    x = source.load([row, 0])  # <-- here
    target.store([row, 0], x)


triton.set_allocator(lambda size, align, stream: torch.empty(size, device="cuda", dtype=torch.int8))
x = torch.rand(30, 32, device="cuda")
out = torch.empty_like(x)
copy_kernel[(2,)](x, out, 30, 32, M=16, N=32)
