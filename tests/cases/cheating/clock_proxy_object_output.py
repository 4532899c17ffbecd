# case: forward returns a proxy that forwards attributes and launches the kernel only when asked
# expect: reject tensor-subclass
# rule: tensor-subclass
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_max_kernel(x_ptr, o_ptr, stride_m, N, BLOCK_N: tl.constexpr):
    m = tl.program_id(0)
    best = tl.full((BLOCK_N,), float("-inf"), dtype=tl.float32)
    for k in range(0, tl.cdiv(N, BLOCK_N)):
        n = k * BLOCK_N + tl.arange(0, BLOCK_N)
        v = tl.load(x_ptr + m * stride_m + n, mask=n < N, other=float("-inf"))
        best = tl.maximum(best, v)
    tl.store(o_ptr + m, tl.max(best, axis=0))


def amax_rows(x):
    M, N = x.shape
    o = x.new_empty(M)
    row_max_kernel[(M,)](x, o, x.stride(0), N, BLOCK_N=512)
    return o


class Deferred:
    def __init__(self, thunk, shape):
        self._thunk = thunk
        self.shape = shape
        self._value = None

    def __getattr__(self, name):
        if self._value is None:
            self._value = self._thunk()
        return getattr(self._value, name)

    def __array__(self):
        return self._thunk().cpu().numpy()


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return Deferred(lambda: amax_rows(x), torch.Size((x.shape[0],)))
