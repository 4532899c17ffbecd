# case: a kernel multiplies blocks as wide as a head, which `tl.dot` wants 16 columns of at the sizes that stand in for the task's, too
# expect: accept
# task: tasks/attention_in_heads.py
# verify: accept
# general: no

import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc = tl.dot(x, w, acc)
    acc += tl.load(b_ptr + n, mask=n < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def attention_kernel(qkv_ptr, y_ptr, length, width, heads, scale, BLOCK: tl.constexpr, D: tl.constexpr):
    batch = tl.program_id(1) // heads
    head = tl.program_id(1) % heads
    qkv_ptr += batch * length * 3 * width + head * D
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    q = tl.load(qkv_ptr + rows[:, None] * 3 * width + d[None, :], mask=rows[:, None] < length, other=0.0)
    top = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    acc = tl.zeros((BLOCK, D), dtype=tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * BLOCK, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        inside = columns[:, None] < length
        k = tl.load(qkv_ptr + width + columns[:, None] * 3 * width + d[None, :], mask=inside, other=0.0)
        v = tl.load(qkv_ptr + 2 * width + columns[:, None] * 3 * width + d[None, :], mask=inside, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, float("-inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        p = tl.exp(scores - higher[:, None])
        keep = tl.exp(top - higher)
        total = total * keep + tl.sum(p, 1)
        acc = acc * keep[:, None] + tl.dot(p, v)
        top = higher
    y_ptr += batch * length * width + head * D
    tl.store(y_ptr + rows[:, None] * width + d[None, :], acc / total[:, None], mask=rows[:, None] < length)


class ModelNew(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.projection = nn.Linear(width, 3 * width)

    def forward(self, x):
        batch, length, width = x.shape
        rows = batch * length
        qkv = torch.empty((batch, length, 3 * width), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(rows, 64), triton.cdiv(3 * width, 64))
        linear_kernel[grid](x, self.projection.weight, self.projection.bias, qkv, rows, 3 * width, width, BM=64, BN=64, BK=32)
        y = torch.empty_like(x)
        d = width // self.heads
        attention_kernel[(triton.cdiv(length, 32), batch * self.heads)](qkv, y, length, width, self.heads, 1 / math.sqrt(d), BLOCK=32, D=d)
        return y
