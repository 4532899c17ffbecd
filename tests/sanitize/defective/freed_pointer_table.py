# The list comprehension keeps the addresses of temporary copies.
# rule: use-after-free
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


weights = [torch.rand(64, 1 << i, device="cuda") for i in range(3)]
table = torch.tensor([w[:, 0].contiguous().data_ptr() for w in weights[1:]])
out = torch.zeros(64, device="cuda")
sum_kernel[(1,)](table.to("cuda"), out, 2, BLOCK=64)
