"""One call of a library's operator and what torch says about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

DEVICE = "cuda"
# Relative to the largest value expected: sums in another order differ by the size of what was summed, not of the sum.
TF32 = 2e-3  # Triton's tl.dot multiplies float32 as tf32 unless told otherwise
TOLERANCE = {torch.float64: 1e-9, torch.float32: 2e-5, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}


@dataclass(frozen=True)
class Case:
    operator: str
    label: str
    got: Callable[[], Any]  # on the claimed device
    expected: Callable[[], Any]  # by torch, on the CPU, in double precision where it computes
    tolerance: float = 0.0


class Random:
    """Tensors on the claimed device, the same for the same seed."""

    def __init__(self, seed: int, dtype: torch.dtype):
        self.generator = torch.Generator().manual_seed(seed)
        self.dtype = dtype

    def normal(self, *shape: int) -> torch.Tensor:
        return self._place(torch.randn(shape, generator=self.generator))

    def uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        return self._place(torch.rand(shape, generator=self.generator) * (high - low) + low)

    def integers(self, low: int, high: int, *shape: int, dtype: torch.dtype = torch.int32) -> torch.Tensor:
        return torch.randint(low, high, shape, generator=self.generator, dtype=dtype).to(DEVICE)

    def booleans(self, *shape: int) -> torch.Tensor:
        return (torch.rand(shape, generator=self.generator) > 0.5).to(DEVICE)

    def permutation(self, size: int) -> torch.Tensor:
        return torch.randperm(size, generator=self.generator).to(DEVICE)

    def _place(self, tensor: torch.Tensor) -> torch.Tensor:
        return tensor.to(self.dtype).to(DEVICE)


def to_reference(value: Any) -> Any:
    """The same on the CPU, in double precision where it is a floating-point tensor."""
    if isinstance(value, torch.Tensor):
        moved = value.detach().cpu()
        return moved.double() if moved.is_floating_point() else moved
    if isinstance(value, (list, tuple)):
        return type(value)(map(to_reference, value))
    return value


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from tensors_in(inner)


def difference(got: Any, expected: Any, tolerance: float) -> str:
    """Empty where they match."""
    ours, theirs = list(tensors_in(got)), list(tensors_in(expected))
    if len(ours) < len(theirs) or not theirs:
        return f"{len(ours)} tensors instead of {len(theirs)}"
    for n, (a, b) in enumerate(zip(ours, theirs)):
        a = a.detach().cpu()
        if a.shape != b.shape:
            return f"result {n} has the shape {tuple(a.shape)} instead of {tuple(b.shape)}"
        if not b.is_floating_point():
            if not torch.equal(a.to(b.dtype), b):
                return f"result {n}: {int((a.to(b.dtype) != b).sum())} of {b.numel()} values differ"
            continue
        a, b = a.double(), b.double()
        finite = b[b.isfinite()]
        scale = max(1.0, float(finite.abs().max()) if finite.numel() else 1.0)
        close = torch.isclose(a, b, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
        if not close.all():
            worst = float((a - b).abs().nan_to_num(nan=float("inf"))[~close].max())
            return f"result {n}: {int((~close).sum())} of {b.numel()} values differ, by up to {worst:.3g} (largest {scale:.3g})"
    return ""
