# The tensor is deleted once its pointer is in the table, to save memory.
# rule: use-after-free
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(table_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    source = tl.load(table_ptr).to(tl.pointer_type(tl.float16))
    x = tl.load(source + at, mask=at < n, other=0.0)  # <-- here
    tl.store(out_ptr + at, x, mask=at < n)


out = torch.zeros(1000, device="cuda", dtype=torch.float16)
x = torch.rand(1000, device="cuda").half()
table = torch.zeros(1, device="cuda", dtype=torch.int64)
table[0] = x.data_ptr()
del x
copy_kernel[(1,)](table, out, 1000, BLOCK=1024)
