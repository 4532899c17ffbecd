"""How far the executor may be from the device, and the comparison itself."""

from dataclasses import dataclass

import numpy as np

from dtypes import PRECISION, bits, decode, is_float, width


@dataclass(frozen=True)
class Exact:
    """Bit for bit. A NaN equals every NaN unless `payload` is set: the device makes NaNs of its own pattern."""

    payload: bool = False
    reason: str = "defined by IEEE 754 or by integer arithmetic"
    name = "exact"


@dataclass(frozen=True)
class Ulp:
    """At most `count` units in the last place, plus `slope` units for each 1.0 of the first input's magnitude. Below
    `floor` only the absolute difference counts: device instructions flush or lose denormals there."""

    count: float
    reason: str
    slope: float = 0.0
    floor: float = 0.0
    name = "ulp"


@dataclass(frozen=True)
class Close:
    """|got - want| <= absolute + relative * |want|."""

    relative: float
    absolute: float
    reason: str
    name = "close"


@dataclass(frozen=True)
class Observed:
    """Undefined by Triton or LLVM: what the device does is recorded and shown, nothing is demanded."""

    reason: str
    name = "observed"


@dataclass
class Outcome:
    elements: int
    identical: int
    worst: float  # in ulps for exact and ulp, the quotient |got - want| / allowed for close
    ok: bool
    example: str = ""


def _ordered(array, dtype):
    """Integers whose order and distance is that of the floats, as float128-free object-safe int64 where it fits."""
    word = bits(array).astype(np.uint64)
    sign = np.uint64(1 << (width(dtype) - 1))
    magnitude = (word & (sign - np.uint64(1))).astype(np.int64)
    return np.where(word & sign, -magnitude, magnitude)


def ulps(got, want, dtype):
    a, b = _ordered(got, dtype), _ordered(want, dtype)
    same_side = (a >= 0) == (b >= 0)
    close = np.where(same_side, np.abs(np.where(same_side, a, 0) - np.where(same_side, b, 0)), 0)
    far = np.abs(a.astype(np.float64)) + np.abs(b.astype(np.float64))
    return np.where(same_side, close.astype(np.float64), far)


def compare(got, want, dtype, bound, first_input=None):
    """`first_input` holds float64 values, one for each element, or is None."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return Outcome(want.size, 0, np.inf, False, f"shape {got.shape} {got.dtype}, not {want.shape} {want.dtype}")
    got, want = got.ravel(), want.ravel()
    same = bits(got) == bits(want)
    identical = int(same.sum())
    if want.size == 0 or identical == want.size:
        return Outcome(want.size, identical, 0.0, True)
    if not is_float(dtype):
        distance = np.abs(decode(got, dtype) - decode(want, dtype))
        distance = np.where(same, 0.0, np.maximum(distance, 1.0))
        allowed = np.zeros(want.size)
        if isinstance(bound, Close):
            allowed = bound.absolute + bound.relative * np.abs(decode(want, dtype))
        return _outcome(got, want, dtype, identical, distance, distance > allowed, bound)

    a, b = decode(got, dtype), decode(want, dtype)
    both_nan = np.isnan(a) & np.isnan(b)
    one_nan = np.isnan(a) ^ np.isnan(b)
    if isinstance(bound, Exact) and bound.payload:
        both_nan = both_nan & same
    distance = np.where(both_nan | same, 0.0, ulps(got, want, dtype))
    distance = np.where(one_nan, np.inf, distance)
    if isinstance(bound, Ulp):
        allowed = np.full(want.size, float(bound.count))
        if bound.slope and first_input is not None and first_input.size == want.size:
            allowed = allowed + bound.slope * np.nan_to_num(np.abs(first_input.ravel()), posinf=0.0)
        with np.errstate(all="ignore"):
            small = (np.abs(a) <= bound.floor) & (np.abs(b) <= bound.floor)
        bad = (distance > allowed) & ~small
        distance = np.where(small, 0.0, distance)
    elif isinstance(bound, Close):
        with np.errstate(all="ignore"):
            difference = np.where(both_nan | (a == b), 0.0, np.abs(a - b))
            allowed = bound.absolute + bound.relative * np.abs(b)
            bad = ~(difference <= allowed)
            distance = np.where(difference == 0, 0.0, difference / np.where(np.isfinite(allowed), allowed, 1.0))
    else:
        bad = distance > 0
    return _outcome(got, want, dtype, identical, distance, bad, bound)


def _outcome(got, want, dtype, identical, distance, bad, bound):
    ok = isinstance(bound, Observed) or not bad.any()
    example = ""
    if bad.any():
        at = int(np.flatnonzero(bad)[np.argmax(np.nan_to_num(distance[bad], nan=np.inf))])
        shown = [f"{decode(x[at : at + 1], dtype)[0]!r} ({bits(x)[at]:#x})" for x in (got, want)]
        example = f"element {at}: {shown[0]}, device {shown[1]}; {int(bad.sum())} of {want.size} differ"
    worst = float(np.max(distance)) if distance.size else 0.0
    return Outcome(want.size, identical, worst, ok, example)


def units(bound):
    return {"close": "x bound"}.get(bound.name, "ulp")


EPSILON = {dtype: 2.0 ** -(mantissa + 1) for dtype, (mantissa, _) in PRECISION.items()}
