# case: a stream-K matmul; "stream" names a schedule of tiles, not a CUDA stream
# expect: accept
# rule: streams-and-events
# role: similar
# task: tasks/matmul.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stream_k_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                    iters_per_stream, total_iters,
                    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    stream = tl.program_id(0)
    it = stream * iters_per_stream
    end = tl.minimum(it + iters_per_stream, total_iters)
    iters_per_tile = tl.cdiv(K, BLOCK_K)
    tiles_n = tl.cdiv(N, BLOCK_N)
    while it < end:
        tile = it // iters_per_tile
        first = it % iters_per_tile
        last = tl.minimum(first + (end - it), iters_per_tile)
        rm = (tile // tiles_n) * BLOCK_M + tl.arange(0, BLOCK_M)
        rn = (tile % tiles_n) * BLOCK_N + tl.arange(0, BLOCK_N)
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for k in range(first, last):
            rk = k * BLOCK_K + tl.arange(0, BLOCK_K)
            a = tl.load(a_ptr + rm[:, None] * stride_am + rk[None, :] * stride_ak,
                        mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
            b = tl.load(b_ptr + rk[:, None] * stride_bk + rn[None, :] * stride_bn,
                        mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
            acc += tl.dot(a, b, input_precision="ieee")
        tl.atomic_add(c_ptr + rm[:, None] * stride_cm + rn[None, :] * stride_cn, acc,
                      mask=(rm[:, None] < M) & (rn[None, :] < N))
        it += last - first


class ModelNew(nn.Module):
    def __init__(self, streams: int = 12):
        super().__init__()
        self.streams = streams

    def forward(self, a, b):
        m, k = a.shape
        n = b.shape[1]
        tile = 32
        c = torch.zeros((m, n), device=a.device, dtype=torch.float32)
        total = triton.cdiv(m, tile) * triton.cdiv(n, tile) * triton.cdiv(k, tile)
        per_stream = triton.cdiv(total, self.streams)
        stream_k_kernel[(self.streams,)](
            a, b, c, m, n, k, a.stride(0), a.stride(1), b.stride(0), b.stride(1), c.stride(0), c.stride(1),
            per_stream, total, BLOCK_M=tile, BLOCK_N=tile, BLOCK_K=tile)
        return c.to(a.dtype)
