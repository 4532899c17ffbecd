# case: a long file of many small kernels, branches and tables, ordinary in every part
# expect: accept
# rule: too-complex
# role: similar
# task: tasks/gelu.py
# verify: accept

from __future__ import annotations

from typing import Callable, Dict, Optional, Tuple

import torch
import torch.nn as nn
import triton
import triton.language as tl

# ---------------------------------------------------------------- device functions


@triton.jit
def _identity(x):
    return x


@triton.jit
def _relu(x):
    return tl.maximum(x, 0.0)


@triton.jit
def _relu6(x):
    return tl.minimum(tl.maximum(x, 0.0), 6.0)


@triton.jit
def _leaky(x):
    return tl.where(x >= 0.0, x, 0.01 * x)


@triton.jit
def _sigmoid(x):
    return 1.0 / (1.0 + tl.exp(-x))


@triton.jit
def _tanh(x):
    return 2.0 * _sigmoid(2.0 * x) - 1.0


@triton.jit
def _silu(x):
    return x * _sigmoid(x)


@triton.jit
def _gelu_erf(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.70710678118654752440))


@triton.jit
def _gelu_tanh(x):
    return 0.5 * x * (1.0 + _tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


@triton.jit
def _hard_sigmoid(x):
    return _relu6(x + 3.0) / 6.0


@triton.jit
def _hard_swish(x):
    return x * _hard_sigmoid(x)


@triton.jit
def _squared_relu(x):
    r = _relu(x)
    return r * r


@triton.jit
def _elu(x):
    return tl.where(x > 0.0, x, tl.exp(x) - 1.0)


@triton.jit
def _activate(x, KIND: tl.constexpr):
    if KIND == "identity":
        y = _identity(x)
    elif KIND == "relu":
        y = _relu(x)
    elif KIND == "relu6":
        y = _relu6(x)
    elif KIND == "leaky":
        y = _leaky(x)
    elif KIND == "sigmoid":
        y = _sigmoid(x)
    elif KIND == "tanh":
        y = _tanh(x)
    elif KIND == "silu":
        y = _silu(x)
    elif KIND == "gelu":
        y = _gelu_erf(x)
    elif KIND == "gelu_tanh":
        y = _gelu_tanh(x)
    elif KIND == "hard_sigmoid":
        y = _hard_sigmoid(x)
    elif KIND == "hard_swish":
        y = _hard_swish(x)
    elif KIND == "squared_relu":
        y = _squared_relu(x)
    elif KIND == "elu":
        y = _elu(x)
    else:
        tl.static_assert(False, "unknown activation")
    return y


# ---------------------------------------------------------------- kernels


@triton.jit
def _flat_kernel(x_ptr, y_ptr, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, _activate(x, KIND).to(y_ptr.dtype.element_ty), mask=i < n)


@triton.jit
def _row_kernel(x_ptr, y_ptr, n, x_stride, y_stride, KIND: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * x_stride + c, mask=c < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * y_stride + c, _activate(x, KIND).to(y_ptr.dtype.element_ty), mask=c < n)


# ---------------------------------------------------------------- host side

_SIZES: Tuple[Tuple[int, int, int], ...] = (
    # up to, block, warps
    (1 << 10, 128, 1),
    (1 << 14, 256, 2),
    (1 << 18, 512, 4),
    (1 << 22, 1024, 4),
    (1 << 26, 2048, 8),
)


def _choose(n: int) -> Tuple[int, int]:
    for limit, block, warps in _SIZES:
        if n <= limit:
            return block, warps
    return 4096, 8


def _run_flat(x: torch.Tensor, kind: str) -> torch.Tensor:
    y = torch.empty_like(x)
    n = x.numel()
    block, warps = _choose(n)
    _flat_kernel[(triton.cdiv(n, block),)](x, y, n, KIND=kind, BLOCK=block, num_warps=warps)
    return y


def _run_rows(x: torch.Tensor, kind: str) -> torch.Tensor:
    rows, n = x.shape
    y = torch.empty((rows, n), device=x.device, dtype=x.dtype)
    block = min(1024, triton.next_power_of_2(n))
    grid = (rows, triton.cdiv(n, block))
    _row_kernel[grid](x, y, n, x.stride(0), y.stride(0), KIND=kind, BLOCK=block)
    return y


def activate(x: torch.Tensor, kind: str, runner: Optional[Callable] = None) -> torch.Tensor:
    if runner is not None:
        return runner(x, kind)
    if x.is_contiguous():
        return _run_flat(x, kind)
    if x.dim() == 2 and x.stride(1) == 1:
        return _run_rows(x, kind)
    return _run_flat(x.contiguous(), kind)


_ALIASES: Dict[str, str] = {
    "swish": "silu",
    "gelu_erf": "gelu",
    "gelu_new": "gelu_tanh",
    "hswish": "hard_swish",
    "hsigmoid": "hard_sigmoid",
    "linear": "identity",
    "none": "identity",
}


class ModelNew(nn.Module):
    def __init__(self, kind: str = "gelu_erf"):
        super().__init__()
        self.kind = _ALIASES.get(kind, kind)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return activate(x, self.kind)
