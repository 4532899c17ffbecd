# case: a context manager of the file's own adds the shapes to whatever error comes out of the launch
# expect: accept
# task: tasks/avg_pool1d.py
# verify: accept

from contextlib import contextmanager

import torch
import torch.nn as nn
import triton
import triton.language as tl


@contextmanager
def explain(**details):
    try:
        yield
    except Exception as error:
        text = ", ".join(f"{k}={v}" for k, v in details.items())
        raise RuntimeError(f"avg_pool launch failed ({text})") from error


@triton.jit
def avg_pool(x_ptr, y_ptr, n_out, L, OL, stride, pad, inv_k, K: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n_out
    line = i // OL
    left = (i % OL) * stride - pad
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in tl.static_range(0, K):
        p = left + k
        acc += tl.load(x_ptr + line * L + p, mask=ok & (p >= 0) & (p < L), other=0.0)
    tl.store(y_ptr + i, acc * inv_k, mask=ok)


class ModelNew(nn.Module):
    def __init__(self, kernel_size, stride, padding):
        super().__init__()
        self.avg_pool = nn.AvgPool1d(kernel_size, stride=stride, padding=padding)

    def forward(self, x):
        (k,), (s,), (p,) = self.avg_pool.kernel_size, self.avg_pool.stride, self.avg_pool.padding
        x = x.contiguous()
        length = x.shape[-1]
        out_length = (length + 2 * p - k) // s + 1
        y = torch.empty(x.shape[:-1] + (out_length,), device=x.device, dtype=x.dtype)
        with explain(shape=tuple(x.shape), kernel=k, stride=s, padding=p):
            avg_pool[(triton.cdiv(y.numel(), 256),)](x, y, y.numel(), length, out_length, s, p, 1.0 / k, K=k, BLOCK=256)
        return y
