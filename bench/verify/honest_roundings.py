#!/usr/bin/env python3
"""How often an honest result would be rejected by chance: one whose roundings are others than the reference's.

References, and the same functions computed as kernels do: products in tf32, scales before or behind a product, a product with a
reciprocal in place of a quotient, powers by logarithms, variances by mean squares, coordinates in fp32. Each is judged by what
the reference's process says is right, on many inputs of the distributions where one rounding decides most. No kernel is run;
that is what tests/cases are for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "harness"))
from tritonrl_harness import oracle  # noqa: E402
from tritonrl_harness.distributions import NotApplicable  # noqa: E402
from tritonrl_harness.rounding import truncated_to_tf32  # noqa: E402

MOST_SPREADS = 6.0  # src/verify/comparison.h
LEAST_SPREAD = {torch.float32: 2.0**-126, torch.float16: 2.0**-24}  # comparison.cpp
DISTRIBUTIONS = ["as-given", "heavy-tailed", "large", "far-up", "clustered", "tiny"]

TASK = """
import torch
import torch.nn.functional as F
class Model(torch.nn.Module):
    def forward(self, {names}):
        return {result}
def get_inputs():
    return [{inputs}]
def get_init_inputs():
    return []
"""


def product(a: torch.Tensor, b: torch.Tensor, scale: float) -> torch.Tensor:
    """In tf32, its first operand scaled before and its result back behind."""
    cut = lambda x: truncated_to_tf32(x).float()
    return cut(a * scale) @ cut(b) / scale


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float) -> torch.Tensor:
    scores = product(q, k.mT, scale) * (q.shape[-1] ** -0.5 * 1.44269504)
    weights = torch.exp2(scores - scores.amax(-1, keepdim=True))
    return product(weights, v, 1.0) / weights.sum(-1, keepdim=True)


def quantised(x: torch.Tensor, scale: float) -> torch.Tensor:
    return torch.round(x * (127.0 / x.abs().amax(-1, keepdim=True))).to(torch.int8)


def long_softmax(x: torch.Tensor, scale: float) -> torch.Tensor:
    """In fp32; its sum in 64 pieces where there is a scale."""
    weights = torch.exp(x.float() - x.float().amax(-1, keepdim=True))
    pieces = weights.unflatten(-1, (64, -1)).sum(-1) if scale != 1.0 else weights
    return (weights / pieces.sum(-1, keepdim=True)).half()


def in_type(x: torch.Tensor, b: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """As kernels do that go on in the type that they load, and those that do not."""
    x, b = x.to(dtype), b.to(dtype)
    return (torch.sigmoid((x * x * 0.3 + b).float()).to(dtype) * x).half()


def resized(x: torch.Tensor, scale: float) -> torch.Tensor:
    """Bilinear, to 37 x 141, each element by its own coordinates; where there is a scale, these are multiples of a rounded step."""
    for dim, size in ((2, 37), (3, 141)):
        given, at = x.shape[dim], torch.arange(size, dtype=torch.float32) + 0.5
        place = (at * torch.tensor(given / size) if scale != 1.0 else at * given / size) - 0.5
        place = place.clamp(0, given - 1)
        low = place.long()
        weight = (place - low).view(-1, *[1] * (3 - dim))
        x = x.index_select(dim, low) * (1 - weight) + x.index_select(dim, (low + 1).clamp_max(given - 1)) * weight
    return x


def power(x: torch.Tensor, scale: float) -> torch.Tensor:
    size = x.abs() + 0.1
    return torch.exp(2.5 * torch.log(size)) if scale == 1.0 else torch.exp2(2.5 * torch.log2(size))


def deviation(x: torch.Tensor, scale: float) -> torch.Tensor:
    """From sums or from means."""
    n = x.shape[-1]
    total, squares = x.sum(-1), x.square().sum(-1)
    variance = (squares - total * total / n) / (n - 1) if scale == 1.0 else (squares / n - (total / n).square()) * (n / (n - 1))
    return variance.clamp_min(0.0).sqrt()


def routed(x: torch.Tensor, scale: float) -> torch.Tensor:
    """Numbers of experts by the scores or by the probabilities, those that are too small taken for zero."""
    weights = torch.softmax(x, -1)
    return torch.topk(x if scale == 1.0 else weights.masked_fill(weights < 2.0**-126, 0.0), 2).indices


@dataclass(frozen=True)
class Function:
    name: str
    names: str
    result: str
    inputs: str
    computed: Callable[..., torch.Tensor]

    def source(self) -> str:
        return TASK.format(names=self.names, result=self.result, inputs=self.inputs)


MATRICES = "torch.randn(128, 256), torch.randn(256, 64)"
FUNCTIONS = [
    Function("attention", "q, k, v", "F.scaled_dot_product_attention(q, k, v)", "*torch.randn(3, 2, 3, 50, 32)", attention),
    Function("softmax, then product", "x, w", "torch.softmax(x @ w, -1) @ w.T", MATRICES,
             lambda x, w, scale: product(torch.softmax(product(x, w, scale), -1), w.T, scale)),
    Function("sigmoid, then product", "x, w", "torch.sigmoid(x @ w) @ w.T", MATRICES,
             lambda x, w, scale: product(torch.sigmoid(product(x, w, scale)), w.T, scale)),
    Function("clamped product", "x, w", "torch.clamp(x @ w, -1.0, 1.0)", MATRICES, lambda x, w, scale: product(x, w, scale).clamp(-1, 1)),
    Function("long softmax of halves", "x", "torch.softmax(x, -1)", "torch.randn(4, 8192).half()", long_softmax),
    Function("chain of halves", "x, b", "torch.sigmoid(x * x * 0.3 + b) * x", "torch.randn(64, 256).half(), torch.randn(256).half()",
             lambda x, b, scale: in_type(x, b, torch.float32 if scale == 1.0 else torch.float16)),
    Function("quantised rows", "x", "torch.round(x / (x.abs().amax(-1, keepdim=True) / 127.0)).to(torch.int8)", "torch.randn(512, 512)",
             quantised),
    Function("bilinear resize", "x", 'F.interpolate(x, size=(37, 141), mode="bilinear")', "torch.randn(1, 2, 100, 90)", resized),
    Function("power", "x", "torch.pow(x.abs() + 0.1, 2.5)", "torch.randn(64, 256)", power),
    Function("deviation", "x", "torch.std(x, -1)", "torch.randn(64, 256) + 2.0", deviation),
    Function("router", "x", "torch.topk(torch.softmax(x, -1), 2).indices", "torch.randn(64, 16)", routed),
]  # fmt: skip


class Oracle(oracle.Oracle):
    """Hands tensors over as they are."""

    def __init__(self, source: str) -> None:
        super().__init__(SimpleNamespace(gpu=False, executor=SimpleNamespace(begin_call=None, end_call=None)))
        self.do_load(source, 0)

    def _keep(self, tensor: torch.Tensor) -> dict:
        return {"tensor": tensor.detach().contiguous()}

    def inputs(self) -> list[torch.Tensor]:
        return self._case[1]


def errors(function: Function, distribution: str, seeds: int) -> Iterator[float]:
    """The worst element of each honest result, in spreads; infinite for a whole number that is none of those allowed."""
    task = Oracle(function.source())
    for seed in range(seeds):
        task.do_make(0, 977 * seed + 5, distribution)
        try:
            expected = task.do_expect(True, seed)["results"][0]
        except NotApplicable:
            continue
        right = expected["values"]["tensor"]
        for scale in (1.0, 1.37):
            found = function.computed(*task.inputs(), scale)
            if found.is_floating_point():
                spread = expected["spread"]["tensor"].clamp_min(LEAST_SPREAD[found.dtype])
                yield float(((found.double() - right).abs() / spread).nan_to_num(0.0).max())
            else:
                allowed = [right, *(other["tensor"] for other in expected["alternatives"])]
                yield 0.0 if bool(torch.stack([found == values for values in allowed]).any(0).all()) else float("inf")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=40, help="inputs of each function and distribution")
    given = options.parse_args()
    torch.set_num_threads(1)
    print("| function | inputs | results judged | rejected | worst, in spreads (limit 6) |\n|---|---|---|---|---|")
    rejected = 0
    for function in FUNCTIONS:
        for distribution in DISTRIBUTIONS:
            found = sorted(errors(function, distribution, given.seeds))
            bad = sum(error > MOST_SPREADS for error in found)
            rejected += bad
            worst = f"{found[-1]:.1f}" if found else "does not apply"
            print(f"| {function.name} | {distribution} | {len(found)} | {bad} | {worst} |", flush=True)
    print(f"\ngoal: none rejected: {rejected}, {'MISSED' if rejected else 'met'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
