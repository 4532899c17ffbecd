# Online softmax over blocks of keys; the last block is masked.
import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, out_ptr, length, scale, CAUSAL: tl.constexpr, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * length * D
    start = tl.program_id(0) * M
    row = start + tl.arange(0, M)
    feature = tl.arange(0, D)
    q = tl.load(q_ptr + head + row[:, None] * D + feature[None, :], mask=row[:, None] < length, other=0.0)
    best = tl.full((M,), float("-inf"), tl.float32)
    weight = tl.zeros((M,), tl.float32)
    total = tl.zeros((M, D), tl.float32)
    end = tl.minimum(start + M, length) if CAUSAL else length
    for first in range(0, end, N):
        column = first + tl.arange(0, N)
        k = tl.load(k_ptr + head + column[None, :] * D + feature[:, None], mask=column[None, :] < length, other=0.0)
        scores = tl.dot(q, k) * (scale * 1.4426950408889634)
        visible = column[None, :] < length
        if CAUSAL:
            visible &= column[None, :] <= row[:, None]
        scores = tl.where(visible, scores, float("-inf"))
        larger = tl.maximum(best, tl.max(scores, 1))
        p = tl.exp2(scores - larger[:, None])
        shrink = tl.exp2(best - larger)
        weight = weight * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + head + column[:, None] * D + feature[None, :], mask=column[:, None] < length, other=0.0)
        total = tl.dot(p.to(v.dtype), v, total * shrink[:, None])
        best = larger
    total = total / weight[:, None]
    tl.store(out_ptr + head + row[:, None] * D + feature[None, :], total.to(out_ptr.dtype.element_ty), mask=row[:, None] < length)


heads, length, d = 3, 45, 32
q, k, v = (torch.randn(heads, length, d, device="cuda", dtype=torch.float16) for _ in range(3))
for causal in (False, True):
    out = torch.empty_like(q)
    attention_kernel[(triton.cdiv(length, 16), heads)](q, k, v, out, length, d**-0.5, CAUSAL=causal, M=16, N=16, D=d)
    scores = (q.float() @ k.float().transpose(1, 2)) * d**-0.5
    if causal:
        keep = torch.ones(length, length, device="cuda", dtype=torch.bool).tril()
        scores = scores.masked_fill(~keep, float("-inf"))
    expected = torch.softmax(scores, -1) @ v.float()
    torch.testing.assert_close(out.float(), expected, rtol=2e-2, atol=2e-2)
