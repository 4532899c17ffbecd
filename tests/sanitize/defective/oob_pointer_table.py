# One of the tensors behind the table of pointers is shorter than the others.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def sum_tensors_kernel(table_ptr, out_ptr, tensors, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for i in range(0, tensors):
        address = tl.load(table_ptr + i)
        total += tl.load(address.to(tl.pointer_type(tl.float32)) + at)  # <-- here
    tl.store(out_ptr + at, total)


tensors = [torch.rand(size, device="cuda") for size in (64, 64, 60)]
table = torch.tensor([x.data_ptr() for x in tensors], device="cuda")
out = torch.empty(64, device="cuda")
sum_tensors_kernel[(1,)](table, out, 3, BLOCK=64)
