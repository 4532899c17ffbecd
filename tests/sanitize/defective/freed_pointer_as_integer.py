# Only the address of the scratch tensor is kept; the tensor itself is gone before the launch.
# rule: use-after-free
import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(address, value, BLOCK: tl.constexpr):
    pointer = address.to(tl.pointer_type(tl.float32))
    tl.store(pointer + tl.arange(0, BLOCK), value)  # <-- here


def scratch_address(size):
    scratch = torch.zeros(size, device="cuda")
    return scratch.data_ptr()


fill_kernel[(1,)](scratch_address(256), 1.0, BLOCK=256)
