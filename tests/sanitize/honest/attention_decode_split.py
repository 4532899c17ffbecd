# One query; the keys are cut into parts, a second kernel joins the parts.
import torch
import triton
import triton.language as tl


@triton.jit
def part_kernel(q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, length, part_length, scale, N: tl.constexpr, D: tl.constexpr):
    part = tl.program_id(0)
    feature = tl.arange(0, D)
    q = tl.load(q_ptr + feature)
    best = float("-inf")
    weight = 0.0
    total = tl.zeros((D,), tl.float32)
    end = tl.minimum(part * part_length + part_length, length)
    for first in range(part * part_length, end, N):
        row = first + tl.arange(0, N)
        k = tl.load(k_ptr + row[:, None] * D + feature[None, :], mask=row[:, None] < end, other=0.0)
        scores = tl.where(row < end, tl.sum(k * q[None, :], 1) * scale, float("-inf"))
        larger = tl.maximum(best, tl.max(scores, 0))
        p = tl.exp(scores - larger)
        shrink = tl.exp(best - larger)
        v = tl.load(v_ptr + row[:, None] * D + feature[None, :], mask=row[:, None] < end, other=0.0)
        total = total * shrink + tl.sum(p[:, None] * v, 0)
        weight = weight * shrink + tl.sum(p, 0)
        best = larger
    tl.store(out_ptr + part * D + feature, total / weight)
    tl.store(lse_ptr + part, best + tl.log(weight))


@triton.jit
def join_kernel(part_ptr, lse_ptr, out_ptr, parts, PARTS: tl.constexpr, D: tl.constexpr):
    part = tl.arange(0, PARTS)
    feature = tl.arange(0, D)
    lse = tl.load(lse_ptr + part, mask=part < parts, other=float("-inf"))
    weight = tl.exp(lse - tl.max(lse, 0))
    value = tl.load(part_ptr + part[:, None] * D + feature[None, :], mask=part[:, None] < parts, other=0.0)
    tl.store(out_ptr + feature, tl.sum(value * weight[:, None], 0) / tl.sum(weight, 0))


length, d, part_length = 75, 32, 30
q = torch.randn(d, device="cuda")
k = torch.randn(length, d, device="cuda")
v = torch.randn(length, d, device="cuda")
parts = triton.cdiv(length, part_length)
part = torch.empty(parts, d, device="cuda")
lse = torch.empty(parts, device="cuda")
out = torch.empty(d, device="cuda")
part_kernel[(parts,)](q, k, v, part, lse, length, part_length, d**-0.5, N=16, D=d)
join_kernel[(1,)](part, lse, out, parts, PARTS=4, D=d)
expected = torch.softmax((k @ q) * d**-0.5, 0) @ v
torch.testing.assert_close(out, expected, rtol=1e-4, atol=1e-4)
