# case: kernels are made by a decorator factory that the file defines itself
# expect: accept
# rule: no-kernel
# role: similar
# task: tasks/silu.py
# verify: accept

import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl

KERNELS = {}


def kernel(name=None, **jit_options):
    """Jit a function and keep it in KERNELS under a readable name."""

    def wrap(fn):
        compiled = triton.jit(fn, **jit_options)
        KERNELS[name or fn.__name__] = compiled
        return compiled

    return wrap


@kernel(name="silu", do_not_specialize=["n"])
def _silu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    idx = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + idx, mask=idx < n, other=0.0).to(tl.float32)
    y = x / (1.0 + tl.exp(-x))
    tl.store(y_ptr + idx, y.to(y_ptr.dtype.element_ty), mask=idx < n)


@functools.lru_cache(maxsize=None)
def block_for(n: int) -> int:
    return min(1024, max(64, triton.next_power_of_2(n)))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        flat = x.reshape(-1)
        out = torch.empty_like(flat)
        n = flat.numel()
        block = block_for(n)
        _silu[(triton.cdiv(n, block),)](flat, out, n, BLOCK=block)
        return out.view(x.shape)
