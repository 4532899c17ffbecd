# Records of ten bytes hold a float at their start.
# rule: misaligned-access
import torch
import triton
import triton.language as tl


@triton.jit
def update_kernel(record_ptr, records, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    field = (record_ptr + at * 10).to(tl.pointer_type(tl.float32))
    tl.store(field, 1.0, mask=at < records)  # <-- here


record = torch.zeros(120, device="cuda", dtype=torch.int8)
update_kernel[(1,)](record, 12, BLOCK=16)
