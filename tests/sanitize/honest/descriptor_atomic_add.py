# Tiles of several programs are added into one through a descriptor.
import torch
import triton
import triton.language as tl


@triton.jit
def accumulate_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, shape=[rows, columns], strides=[columns, 1], block_shape=[M, N])
    target = tl.make_tensor_descriptor(out_ptr, shape=[M, columns], strides=[columns, 1], block_shape=[M, N])
    target.atomic_add([0, 0], source.load([tl.program_id(0) * M, 0]))


triton.set_allocator(lambda size, align, stream: torch.empty(size, device="cuda", dtype=torch.int8))
x = torch.randint(-9, 10, (64, 32), device="cuda").float()
out = torch.zeros(16, 32, device="cuda")
accumulate_kernel[(4,)](x, out, 64, 32, M=16, N=32)
assert torch.equal(out, x.reshape(4, 16, 32).sum(0))
