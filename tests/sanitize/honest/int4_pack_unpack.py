# Eight values of four bits to a word, and back with a scale for each group.
import torch
import triton
import triton.language as tl


@triton.jit
def pack_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    word = tl.zeros((BLOCK,), tl.int32)
    for i in tl.static_range(8):
        word |= (tl.load(x_ptr + at * 8 + i).to(tl.int32) & 0xF) << (4 * i)
    tl.store(out_ptr + at, word)


@triton.jit
def unpack_kernel(packed_ptr, scale_ptr, out_ptr, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    nibble = (tl.load(packed_ptr + at // 8) >> ((at % 8) * 4)) & 0xF
    value = tl.where(nibble > 7, nibble - 16, nibble)
    tl.store(out_ptr + at, value * tl.load(scale_ptr + at // GROUP))


x = torch.randint(-8, 8, (512,), device="cuda", dtype=torch.int8)
scale = torch.rand(16, device="cuda")
packed = torch.empty(64, device="cuda", dtype=torch.int32)
out = torch.empty(512, device="cuda")
pack_kernel[(2,)](x, packed, BLOCK=32)
unpack_kernel[(4,)](packed, scale, out, GROUP=32, BLOCK=128)
assert torch.equal(out, x.float() * scale.repeat_interleave(32))
