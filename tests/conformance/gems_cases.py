"""Calls of flag-gems' operators by their aten names; torch's own operator of that name is the reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from operator_case import TOLERANCE, Case, Random, tensors_in, to_reference

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
SHAPES = ((1000,), (33, 129), (4, 7, 65))
Arguments = tuple[Any, ...]
Make = Callable[[Random, tuple[int, ...]], Arguments]


def _normal(r: Random, shape: tuple[int, ...]) -> Arguments:
    return (r.normal(*shape),)


def _positive(r: Random, shape: tuple[int, ...]) -> Arguments:
    return (r.uniform(0.1, 4.0, *shape),)


def _unit(r: Random, shape: tuple[int, ...]) -> Arguments:
    return (r.uniform(-0.95, 0.95, *shape),)


def _special(r: Random, shape: tuple[int, ...]) -> Arguments:
    x = r.normal(*shape)
    flat = x.view(-1)
    flat[::7], flat[1::7], flat[2::7] = float("inf"), float("-inf"), float("nan")
    return (x,)


def _pair(r: Random, shape: tuple[int, ...]) -> Arguments:
    return r.normal(*shape), r.normal(*shape)


def _equal_pair(r: Random, shape: tuple[int, ...]) -> Arguments:
    return r.normal(*shape).round(), r.normal(*shape).round()


def _broadcast(r: Random, shape: tuple[int, ...]) -> Arguments:
    return r.normal(*shape), r.normal(shape[-1])


def _non_zero(r: Random, shape: tuple[int, ...]) -> Arguments:
    return r.normal(*shape), r.uniform(0.5, 3.0, *shape)


def _positive_pair(r: Random, shape: tuple[int, ...]) -> Arguments:
    return r.uniform(0.2, 2.0, *shape), r.uniform(-2.0, 2.0, *shape)


def _bits(r: Random, shape: tuple[int, ...]) -> Arguments:
    return (r.integers(-1000, 1000, *shape),)


def _bits_pair(r: Random, shape: tuple[int, ...]) -> Arguments:
    return r.integers(-1000, 1000, *shape), r.integers(-1000, 1000, *shape)


def _shift(r: Random, shape: tuple[int, ...]) -> Arguments:
    return r.integers(-1000, 1000, *shape), r.integers(0, 8, *shape)


def _booleans(r: Random, shape: tuple[int, ...]) -> Arguments:
    return (r.booleans(*shape),)


def _with(make: Make, *more: Any) -> Make:
    return lambda r, shape: (*make(r, shape), *more)


# Every shape and floating-point type.
ELEMENTWISE: dict[str, Make] = {
    **dict.fromkeys(("abs", "angle", "arcsinh", "atan", "ceil", "cos", "cosh", "erf", "exp", "exp2", "expm1"), _normal),
    **dict.fromkeys(
        ("i0", "logical_not", "neg", "relu", "relu6", "round", "selu", "sigmoid", "signbit", "silu"), _normal
    ),
    **dict.fromkeys(("sin", "softshrink", "softplus", "special_i0e", "special_i1", "square", "tan", "tanh"), _normal),
    **dict.fromkeys(("hardsigmoid", "gelu", "elu", "celu", "absolute"), _normal),
    **dict.fromkeys(("isfinite", "isinf", "isnan", "isneginf"), _special),
    "nan_to_num": _with(_special, 0.5, 100.0, -100.0),
    **dict.fromkeys(("log", "log10", "reciprocal", "rsqrt", "sqrt"), _positive),
    "acos": _unit,
    "logit": _with(lambda r, shape: (r.uniform(0.05, 0.95, *shape),)),
    **dict.fromkeys(("add.Tensor", "sub.Tensor", "mul.Tensor"), _broadcast),
    **dict.fromkeys(("maximum", "minimum", "fmin", "atan2", "hypot", "logaddexp", "copysign"), _pair),
    **dict.fromkeys(
        ("eq.Tensor", "ne.Tensor", "lt.Tensor", "le.Tensor", "gt.Tensor", "ge.Tensor", "isclose"), _equal_pair
    ),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), _equal_pair),
    "div.Tensor": _non_zero,
    "pow.Tensor_Tensor": _positive_pair,
    "pow.Tensor_Scalar": _with(_positive, 2.5),
    "clamp": _with(_normal, -0.5, 0.7),
    "threshold": _with(_normal, 0.2, -3.0),
    "where.self": lambda r, s: (r.booleans(*s), r.normal(*s), r.normal(*s)),
    "lerp.Tensor": lambda r, s: (r.normal(*s), r.normal(*s), r.uniform(0, 1, *s)),
    "addcmul": lambda r, s: (r.normal(*s), r.normal(*s), r.normal(*s)),
    "addcdiv": lambda r, s: (r.normal(*s), r.normal(*s), r.uniform(0.5, 2.0, *s)),
    "masked_fill.Scalar": lambda r, s: (r.normal(*s), r.booleans(*s), -7.0),
    "flip": lambda r, s: (r.normal(*s), [len(s) - 1]),
    "full_like": _with(_normal, 3.5),
    "prelu": lambda r, s: (r.normal(*s), r.uniform(0.1, 0.3, 1)),
    # Reductions: of everything, and of the last dimension.
    **dict.fromkeys(("sum", "mean", "amax", "max", "min", "argmax", "argmin", "aminmax", "count_nonzero"), _normal),
    "sum.dim_IntList": _with(_normal, [-1]),
    "mean.dim": _with(_normal, [-1]),
    "max.dim": _with(_normal, -1),
    "min.dim": _with(_normal, -1),
    "all": _booleans,
    "any": _booleans,
    "all.dim": _with(_booleans, -1),
    "any.dim": _with(_booleans, -1),
    "prod.dim_int": lambda r, s: (r.uniform(0.98, 1.02, *s), -1),
    "var.correction": _with(_normal, [-1]),
    "std.correction": _with(_normal, [-1]),
    "var_mean.correction": _with(_normal, [-1]),
    "linalg_vector_norm": _with(_normal, 2, [-1]),
    "cumsum": _with(_normal, -1),
    "cummax": _with(_normal, -1),
    "cummin": _with(_normal, -1),
    "_softmax": _with(_normal, -1, False),
    "_log_softmax": _with(_normal, -1, False),
    "sort": _with(_normal, -1, False),
    "masked_select": lambda r, s: (r.normal(*s), r.booleans(*s)),
    "nonzero": _booleans,
    "mse_loss": _pair,
    "soft_margin_loss": lambda r, s: (r.normal(*s), r.booleans(*s).to(r.dtype) * 2 - 1),
}

INTEGERS: dict[str, Make] = {
    "bitwise_not": _bits,
    **dict.fromkeys(("bitwise_and.Tensor", "bitwise_or.Tensor", "add.Tensor", "mul.Tensor"), _bits_pair),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), _shift),
    "remainder.Tensor": lambda r, s: (r.integers(-1000, 1000, *s), r.integers(1, 50, *s)),
    "floor_divide": lambda r, s: (r.integers(-1000, 1000, *s), r.integers(1, 50, *s)),
    "isin.Tensor_Tensor": lambda r, s: (r.integers(0, 50, *s), r.integers(0, 50, 20)),
    "sum": _bits,
}

# Every floating-point type; each call has its own shapes.
SHAPED: dict[str, tuple[Callable[[Random], Arguments], ...]] = {
    "mm": (lambda r: (r.normal(33, 70), r.normal(70, 41)), lambda r: (r.normal(128, 64), r.normal(64, 96))),
    "bmm": (lambda r: (r.normal(3, 17, 40), r.normal(3, 40, 29)), lambda r: (r.normal(2, 64, 32), r.normal(2, 32, 64))),
    "addmm": (lambda r: (r.normal(41), r.normal(33, 70), r.normal(70, 41)),),
    "baddbmm": (lambda r: (r.normal(3, 17, 29), r.normal(3, 17, 40), r.normal(3, 40, 29)),),
    "mv": (lambda r: (r.normal(33, 70), r.normal(70)), lambda r: (r.normal(200, 129), r.normal(129))),
    "addmv": (lambda r: (r.normal(33), r.normal(33, 70), r.normal(70)),),
    "dot": (lambda r: (r.normal(1000), r.normal(1000)), lambda r: (r.normal(31), r.normal(31))),
    "vdot": (lambda r: (r.normal(1000), r.normal(1000)),),
    "addr": (lambda r: (r.normal(33, 20), r.normal(33), r.normal(20)),),
    "kron": (lambda r: (r.normal(5, 7), r.normal(3, 4)),),
    "trace": (lambda r: (r.normal(33, 33),), lambda r: (r.normal(20, 50),)),
    "native_layer_norm": (
        lambda r: (r.normal(17, 129), [129], r.normal(129), r.normal(129), 1e-5),
        lambda r: (r.normal(4, 5, 64), [64], r.normal(64), r.normal(64), 1e-5),
    ),
    "native_group_norm": (lambda r: (r.normal(2, 12, 7, 5), r.normal(12), r.normal(12), 2, 12, 35, 3, 1e-5),),
    "embedding": (lambda r: (r.normal(50, 33), r.integers(0, 50, 4, 9, dtype=torch.int64)),),
    "gather": (lambda r: (r.normal(20, 33), 1, r.integers(0, 33, 20, 11, dtype=torch.int64)),),
    "index_select": (lambda r: (r.normal(20, 33), 0, r.integers(0, 20, 9, dtype=torch.int64)),),
    "scatter.src": (
        lambda r: (r.normal(20, 33), 1, torch.stack([r.permutation(33)[:11] for _ in range(20)]), r.normal(20, 11)),
    ),
    "index_add": (lambda r: (r.normal(20, 33), 0, r.permutation(20)[:9], r.normal(9, 33)),),
    "index_put": (lambda r: (r.normal(20, 33), [r.permutation(20)[:9]], r.normal(9, 33)),),
    "index.Tensor": (lambda r: (r.normal(20, 33), [r.integers(0, 20, 9, dtype=torch.int64)]),),
    "select_scatter": (lambda r: (r.normal(20, 33), r.normal(33), 0, 4),),
    "slice_scatter": (lambda r: (r.normal(20, 33), r.normal(5, 33), 0, 3, 18, 3),),
    "cat": (lambda r: ([r.normal(5, 33), r.normal(9, 33)],), lambda r: ([r.normal(5, 3), r.normal(5, 8)], 1)),
    "stack": (lambda r: ([r.normal(5, 33), r.normal(5, 33)], 1),),
    "hstack": (lambda r: ([r.normal(5, 3), r.normal(5, 8)],),),
    "vstack": (lambda r: ([r.normal(5, 3), r.normal(2, 3)],),),
    "repeat": (lambda r: (r.normal(5, 7), [2, 3]),),
    "tile": (lambda r: (r.normal(5, 7), [2, 3]),),
    "repeat_interleave.self_int": (lambda r: (r.normal(5, 7), 3, 1),),
    "roll": (lambda r: (r.normal(5, 7), [2], [1]),),
    "constant_pad_nd": (lambda r: (r.normal(5, 7), [1, 2, 3, 0], 1.5),),
    "reflection_pad1d": (lambda r: (r.normal(3, 5, 17), [4, 2]),),
    "reflection_pad2d": (lambda r: (r.normal(3, 5, 9, 7), [2, 1, 3, 4]),),
    "replication_pad1d": (lambda r: (r.normal(3, 5, 17), [4, 2]),),
    "tril": (lambda r: (r.normal(33, 20), 1), lambda r: (r.normal(3, 17, 17), 0)),
    "triu": (lambda r: (r.normal(33, 20), -2), lambda r: (r.normal(3, 17, 17), 0)),
    "diag": (lambda r: (r.normal(19),), lambda r: (r.normal(19, 23), 1)),
    "diag_embed": (lambda r: (r.normal(4, 9),),),
    "topk": (lambda r: (r.normal(9, 100), 5),),
    "glu": (lambda r: (r.normal(9, 64), 1),),
    "conv1d": (lambda r: (r.normal(2, 4, 30), r.normal(6, 4, 3), r.normal(6), [1], [1]),),
    "conv2d": (lambda r: (r.normal(2, 4, 12, 11), r.normal(6, 4, 3, 3), r.normal(6), [1, 1], [1, 1]),),
    "max_pool2d_with_indices": (lambda r: (r.normal(2, 4, 12, 11), [3, 3], [2, 2], [1, 1]),),
    "avg_pool2d": (lambda r: (r.normal(2, 4, 12, 11), [3, 3], [2, 2], [1, 1]),),
    "upsample_nearest1d": (lambda r: (r.normal(2, 4, 12), [30]),),
    "upsample_nearest2d": (lambda r: (r.normal(2, 4, 12, 11), [24, 30]),),
    "upsample_linear1d": (lambda r: (r.normal(2, 4, 12), [30], False),),
    "upsample_bicubic2d": (lambda r: (r.normal(2, 4, 12, 11), [24, 30], False),),
    "pixel_unshuffle": (lambda r: (r.normal(2, 3, 12, 8), 2),),
    "nll_loss_forward": (lambda r: (r.normal(17, 10), r.integers(0, 10, 17, dtype=torch.int64), None, 1, -100),),
}

# Sums of many values, the partial ones rounded to the tensor's type by the library: the error grows with their number.
SUMS = ("sum", "mean", "prod.dim_int", "sum.dim_IntList", "mean.dim", "cumsum", "dot", "vdot", "mse_loss", "trace")


# What is compared instead of all results. Equal values may be sorted either way: the places are compared by what lies there.
# flag-gems returns a mean and a deviation of another shape.
def _places(out: Any, arguments: Arguments) -> Any:
    return out[0], arguments[0].gather(-1, out[1])


COMPARED: dict[str, Callable[[Any, Arguments], Any]] = {
    "sort": _places,
    "topk": _places,
    "native_layer_norm": lambda out, arguments: out[0],
}

# flag-gems registers these for every overload.
OVERLOADS = {
    "copysign": "copysign.Tensor",
    "bitwise_left_shift": "bitwise_left_shift.Tensor",
    "bitwise_right_shift": "bitwise_right_shift.Tensor",
}


def _aten(name: str) -> Callable[..., Any]:
    base, _, overload = OVERLOADS.get(name, name).partition(".")
    packet = getattr(torch.ops.aten, base)
    return getattr(packet, overload or "default")


def _case(ours: dict[str, Callable], name: str, arguments: Arguments, label: str, dtype: torch.dtype) -> Case:
    kept = to_reference(arguments)
    compared = COMPARED.get(name, lambda out, arguments: out)
    terms = max((t.numel() for t in tensors_in(arguments)), default=1) if name in SUMS else 1
    return Case(
        operator=f"flag-gems {name}",
        label=label,
        got=lambda: compared(ours[name](*arguments), arguments),
        expected=lambda: compared(_aten(name)(*kept), kept),
        tolerance=TOLERANCE.get(dtype, 0.0) * math.sqrt(terms),
    )


def cases() -> Iterator[Case]:
    import flag_gems

    ours = {entry[0]: entry[1] for entry in flag_gems._FULL_CONFIG}
    ours["native_layer_norm"] = flag_gems.layer_norm
    seed = 0
    for table, dtypes in ((ELEMENTWISE, FLOATS), (INTEGERS, (torch.int32,))):
        for name, make in table.items():
            for dtype in dtypes:
                for shape in SHAPES:
                    seed += 1
                    label = f"{str(dtype).removeprefix('torch.')} {'x'.join(map(str, shape))}"
                    yield _case(ours, name, make(Random(seed, dtype), shape), label, dtype)
    for name, makes in SHAPED.items():
        for dtype in FLOATS:
            for n, make_one in enumerate(makes):
                seed += 1
                yield _case(
                    ours,
                    name,
                    make_one(Random(seed, dtype)),
                    f"{str(dtype).removeprefix('torch.')} call {n + 1}",
                    dtype,
                )
