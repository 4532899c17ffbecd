# A missing tensor is a zero in the table of pointers, and nobody asks.
# rule: null-pointer
import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(table_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for i in range(count):
        pointer = tl.load(table_ptr + i).to(tl.pointer_type(tl.float32))
        total += tl.load(pointer + at)  # <-- here
    tl.store(out_ptr + at, total)


parts = [torch.rand(32, device="cuda"), None, torch.rand(32, device="cuda")]
table = torch.tensor([0 if part is None else part.data_ptr() for part in parts], device="cuda")
out = torch.empty(32, device="cuda")
sum_kernel[(1,)](table, out, 3, BLOCK=32)
