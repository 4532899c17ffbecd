# The buffer grows: the name is bound to a new tensor, the address is still the old one's.
# rule: use-after-free
import torch
import triton
import triton.language as tl


@triton.jit
def append_kernel(address, start, value, BLOCK: tl.constexpr):
    pointer = address.to(tl.pointer_type(tl.int32))
    tl.store(pointer + start + tl.arange(0, BLOCK), value)  # <-- here


def main():
    buffer = torch.zeros(2048, device="cuda", dtype=torch.int32)
    address = buffer.data_ptr()
    append_kernel[(1,)](address, 0, 1, BLOCK=128)
    larger = torch.zeros(4096, device="cuda", dtype=torch.int32)
    larger[:2048] = buffer
    buffer = larger
    append_kernel[(1,)](address, 128, 2, BLOCK=128)


main()
