# A token of the extended vocabulary indexes the table of the old one.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def embedding_kernel(token_ptr, table_ptr, out_ptr, width, BLOCK: tl.constexpr):
    position = tl.program_id(0)
    feature = tl.arange(0, BLOCK)
    inside = feature < width
    token = tl.load(token_ptr + position)
    vector = tl.load(table_ptr + token * width + feature, mask=inside, other=0.0)  # <-- here
    tl.store(out_ptr + position * width + feature, vector, mask=inside)


table = torch.rand(50, 24, device="cuda", dtype=torch.float16)
token = torch.tensor([3, 49, 50, 7], device="cuda")
out = torch.empty(4, 24, device="cuda", dtype=torch.float16)
embedding_kernel[(4,)](token, table, out, 24, BLOCK=32)
