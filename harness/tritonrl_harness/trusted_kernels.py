"""What the trusted side runs on a GPU: comparisons of memory that guests hold. src/verify/cuda_memory.cpp launches these.

Each program writes what it found to a place of its own; the few figures are put together on the host, where comparison.cpp
is the slow twin.
"""

import triton
import triton.language as tl

NOWHERE = tl.constexpr(1 << 62)


@triton.jit
def compare_floats(
    found,
    values,
    spread,
    worst,
    worst_at,
    squares,
    counted,
    strange_at,
    n: tl.int64,
    step: tl.float64,
    largest: tl.float64,
    slack: tl.float64,
    BLOCK: tl.constexpr,
):
    """Errors in spreads, over elements that both sides have finite; `strange_at` is the first that should be finite or not and
    is the other."""
    block = tl.program_id(0)
    at = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    got = tl.load(found + at, mask=inside, other=0.0).to(tl.float64)
    exact = tl.load(values + at, mask=inside, other=0.0)
    width = tl.load(spread + at, mask=inside, other=1.0)
    # Half a unit above the largest number rounds to infinity.
    infinite = tl.abs(exact) > largest * (1.0 + slack)
    both = inside & (got - got == 0.0) & (exact - exact == 0.0) & ~infinite

    got_infinite = (got == got) & (got - got != 0.0)
    same_sign = (got < 0.0) == (exact < 0.0)
    same = tl.where(exact != exact, got != got, infinite & got_infinite & same_sign)
    magnitude = tl.abs(exact)
    # Next to the edge of the range, rounding may fall on either side of it.
    at_edge = (got_infinite != infinite) & (magnitude > largest * 0.99) & (magnitude < largest * 1.01) & same_sign & (got == got)
    strange = inside & ~both & ~same & ~at_edge

    error = tl.abs(got - exact) / tl.where(width < step, step, width)
    error = tl.where(both & (error == error), error, 0.0)
    most = tl.max(error, axis=0)
    tl.store(worst + block, most)
    tl.store(worst_at + block, tl.min(tl.where(both & (error == most), at, NOWHERE), axis=0))
    tl.store(squares + block, tl.sum(error * error, axis=0))
    tl.store(counted + block, tl.sum(both.to(tl.int64), axis=0))
    tl.store(strange_at + block, tl.min(tl.where(strange, at, NOWHERE), axis=0))


@triton.jit
def first_difference(left, right, differs_at, n, BLOCK: tl.constexpr):
    """The first word of each block in which two ranges differ."""
    block = tl.program_id(0)
    at = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    differs = inside & (tl.load(left + at, mask=inside, other=0) != tl.load(right + at, mask=inside, other=0))
    tl.store(differs_at + block, tl.min(tl.where(differs, at, NOWHERE), axis=0))


@triton.jit
def check_pattern(begins, lengths, broken_at, pattern, MOST: tl.constexpr):
    """The first byte of each range, of MOST bytes at the most, that no longer holds the pattern."""
    number = tl.program_id(0)
    offset = tl.arange(0, MOST).to(tl.int64)
    at = tl.load(begins + number) + offset
    inside = offset < tl.load(lengths + number)
    byte = tl.load(at.to(tl.pointer_type(tl.uint8)), mask=inside, other=0).to(tl.int32)
    want = (pattern >> ((at % 4) * 8).to(tl.int32)) & 255
    tl.store(broken_at + number, tl.min(tl.where(inside & (byte != want), offset, NOWHERE), axis=0))


@triton.jit
def first_pattern(memory, found_at, pattern, n, BLOCK: tl.constexpr):
    """The first word of each block that holds the pattern."""
    block = tl.program_id(0)
    at = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(found_at + block, tl.min(tl.where(inside & (tl.load(memory + at, mask=inside, other=0) == pattern), at, NOWHERE), axis=0))
