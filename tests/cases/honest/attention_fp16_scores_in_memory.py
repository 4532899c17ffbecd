# case: attention in fp16 that keeps scores and weights in memory: where two scores lie close, one rounding decides a row
# expect: accept
# task: tasks/attention_fp16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, scale, M, N, K, step_bk, step_bn, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr):
    batch = tl.program_id(2)
    m = tl.program_id(0) * TM + tl.arange(0, TM)
    n = tl.program_id(1) * TN + tl.arange(0, TN)
    total = tl.zeros([TM, TN], tl.float32)
    for begin in range(0, K, TK):
        k = begin + tl.arange(0, TK)
        a = tl.load(a_ptr + batch * M * K + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + batch * K * N + k[:, None] * step_bk + n[None, :] * step_bn, mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(a, b, total)
    rounded = total.to(tl.float16).to(tl.float32) * scale
    tl.store(c_ptr + batch * M * N + m[:, None] * N + n[None, :], rounded.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def softmax(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    at = tl.program_id(0) * n + column
    x = tl.load(x_ptr + at, mask=column < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + at, (e / tl.sum(e, axis=0)).to(tl.float16), mask=column < n)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        heads, time, width = q.shape
        keys = k.shape[1]
        scores = torch.empty((heads, time, keys), device=q.device, dtype=q.dtype)
        weights = torch.empty_like(scores)
        result = torch.empty_like(q)
        grid = lambda n: (triton.cdiv(time, 64), triton.cdiv(n, 64), heads)
        product[grid(keys)](q, k, scores, width**-0.5, time, keys, width, 1, width, TM=64, TN=64, TK=32)
        softmax[(heads * time,)](scores, weights, keys, BLOCK=triton.next_power_of_2(keys))
        product[grid(width)](weights, v, result, 1.0, time, width, keys, width, 1, TM=64, TN=64, TK=32)
        return result
