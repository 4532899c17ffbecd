"""Operators over the rows of a matrix: softmax, layer norm, rms norm, sum, argmax, running sum, cross entropy."""

import torch
import triton
import triton.language as tl

from .task import Operator, indices, launch, normal


def _matrix(dtype):
    return lambda s, device: (normal(s["rows"], s["columns"], dtype=dtype, device=device),)


# Softmax


@triton.jit
def softmax_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + row * n + i, mask=m, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * n + i, e / tl.sum(e, 0), mask=m)


@triton.jit
def softmax_rows_kernel(x, o, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    i = tl.arange(0, BLOCK)
    at = row[:, None] * n + i[None, :]
    m = (i < n)[None, :]
    v = tl.load(x + at, mask=m, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 1)[:, None])
    tl.store(o + at, e / tl.sum(e, 1)[:, None], mask=m)


@triton.jit
def softmax_passes_kernel(x, o, n, BLOCK: tl.constexpr):
    """Three passes over the row: largest, sum, result."""
    row = tl.program_id(0)
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x + row * n + i, mask=i < n, other=-float("inf")))
    top = tl.max(best, 0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.exp(tl.load(x + row * n + i, mask=i < n, other=-float("inf")) - top)
    scale = 1 / tl.sum(total, 0)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=0.0)
        tl.store(o + row * n + i, tl.exp(v - top) * scale, mask=i < n)


softmax = Operator(
    "softmax",
    [{"rows": 8192, "columns": 2048}, {"rows": 512, "columns": 2048}],
    [{"rows": 64}, {"rows": 128}, {"rows": 256}],
    _matrix(torch.float32),
    lambda x: torch.softmax(x, -1),
    1e-5,
)


def _softmax(x, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(softmax_kernel, (rows,), x, o, n, BLOCK=triton.next_power_of_2(n), num_warps=warps)
    return o


for warps in (1, 2, 4, 8, 16, 32):
    softmax.schedule(f"row, {warps} warps", warps=warps)(_softmax)


def _softmax_rows(x, rows, warps):
    o = torch.empty_like(x)
    count, n = x.shape
    grid = (count // rows,)
    launch(softmax_rows_kernel, grid, x, o, n, ROWS=rows, BLOCK=triton.next_power_of_2(n), num_warps=warps)
    return o


for rows, warps in ((4, 4), (8, 8), (16, 4), (32, 8)):
    softmax.schedule(f"{rows} rows, {warps} warps", rows=rows, warps=warps)(_softmax_rows)


def _softmax_passes(x, block, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(softmax_passes_kernel, (rows,), x, o, n, BLOCK=block, num_warps=warps)
    return o


for block, warps in ((32, 1), (128, 1), (256, 4), (1024, 4), (2048, 8)):
    softmax.schedule(f"three passes, block {block}", block=block, warps=warps)(_softmax_passes)


# Layer norm


@triton.jit
def layer_norm_kernel(x, w, b, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + row * n + i, mask=m, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / n
    d = tl.where(m, v - mean, 0.0)
    r = 1 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    scale = tl.load(w + i, mask=m, other=0.0).to(tl.float32)
    shift = tl.load(b + i, mask=m, other=0.0).to(tl.float32)
    tl.store(o + row * n + i, (d * r * scale + shift).to(o.dtype.element_ty), mask=m)


@triton.jit
def layer_norm_passes_kernel(x, w, b, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    mean = tl.sum(total, 0) / n
    square = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        d = tl.where(i < n, tl.load(x + row * n + i, mask=i < n, other=0.0).to(tl.float32) - mean, 0.0)
        square += d * d
    r = 1 / tl.sqrt(tl.sum(square, 0) / n + 1e-5)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        m = i < n
        v = tl.load(x + row * n + i, mask=m, other=0.0).to(tl.float32)
        scale = tl.load(w + i, mask=m, other=0.0).to(tl.float32)
        shift = tl.load(b + i, mask=m, other=0.0).to(tl.float32)
        tl.store(o + row * n + i, ((v - mean) * r * scale + shift).to(o.dtype.element_ty), mask=m)


@triton.jit
def layer_norm_rows_kernel(x, w, b, o, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    i = tl.arange(0, BLOCK)
    at = row[:, None] * n + i[None, :]
    v = tl.load(x + at).to(tl.float32)
    d = v - (tl.sum(v, 1) / n)[:, None]
    r = 1 / tl.sqrt(tl.sum(d * d, 1) / n + 1e-5)
    scale = tl.load(w + i).to(tl.float32)
    shift = tl.load(b + i).to(tl.float32)
    tl.store(o + at, (d * r[:, None] * scale[None, :] + shift[None, :]).to(o.dtype.element_ty))


@triton.jit
def row_moments_kernel(x, mean, scale, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0).to(tl.float32)
    average = tl.sum(v, 0) / n
    d = tl.where(i < n, v - average, 0.0)
    tl.store(mean + row, average)
    tl.store(scale + row, 1 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5))


@triton.jit
def row_apply_kernel(x, w, b, mean, scale, o, n, total, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < total
    row = i // n
    column = i % n
    v = (tl.load(x + i, mask=m).to(tl.float32) - tl.load(mean + row, mask=m)) * tl.load(scale + row, mask=m)
    v = v * tl.load(w + column, mask=m).to(tl.float32) + tl.load(b + column, mask=m).to(tl.float32)
    tl.store(o + i, v.to(o.dtype.element_ty), mask=m)


layer_norm = Operator(
    "layer norm",
    [{"rows": 8192, "columns": 4096}],
    [{"rows": 32}, {"rows": 64}, {"rows": 128}],
    lambda s, device: (
        normal(s["rows"], s["columns"], dtype=torch.float16, device=device),
        normal(s["columns"], dtype=torch.float16, device=device, seed=8),
        normal(s["columns"], dtype=torch.float16, device=device, seed=9),
    ),
    lambda x, w, b: torch.nn.functional.layer_norm(x, w.shape, w, b),
    1e-2,
)


def _layer_norm(x, w, b, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(layer_norm_kernel, (rows,), x, w, b, o, n, BLOCK=triton.next_power_of_2(n), num_warps=warps)
    return o


for warps in (1, 2, 4, 8, 16, 32):
    layer_norm.schedule(f"row, {warps} warps", warps=warps)(_layer_norm)


def _layer_norm_passes(x, w, b, block, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(layer_norm_passes_kernel, (rows,), x, w, b, o, n, BLOCK=block, num_warps=warps)
    return o


for block, warps in ((64, 1), (256, 2), (512, 4), (2048, 8)):
    layer_norm.schedule(f"three passes, block {block}", block=block, warps=warps)(_layer_norm_passes)


def _layer_norm_rows(x, w, b, rows, warps):
    o = torch.empty_like(x)
    count, n = x.shape
    launch(layer_norm_rows_kernel, (count // rows,), x, w, b, o, n, ROWS=rows, BLOCK=n, num_warps=warps)
    return o


for rows, warps in ((2, 8), (8, 8), (16, 8)):
    layer_norm.schedule(f"{rows} rows, {warps} warps", rows=rows, warps=warps)(_layer_norm_rows)


@layer_norm.schedule("moments, then apply")
def _layer_norm_apart(x, w, b):
    rows, n = x.shape
    o = torch.empty_like(x)
    mean = torch.empty(rows, device=x.device)
    scale = torch.empty(rows, device=x.device)
    launch(row_moments_kernel, (rows,), x, mean, scale, n, BLOCK=triton.next_power_of_2(n), num_warps=4)
    launch(row_apply_kernel, (triton.cdiv(x.numel(), 1024),), x, w, b, mean, scale, o, n, x.numel(), BLOCK=1024, num_warps=4)
    return o


# Root mean square norm


@triton.jit
def rms_norm_kernel(x, w, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + row * n + i, mask=m, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, 0) / n + 1e-6)
    tl.store(o + row * n + i, (v * r * tl.load(w + i, mask=m).to(tl.float32)).to(o.dtype.element_ty), mask=m)


@triton.jit
def rms_norm_passes_kernel(x, w, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    square = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=0.0).to(tl.float32)
        square += v * v
    r = tl.rsqrt(tl.sum(square, 0) / n + 1e-6)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        m = i < n
        v = tl.load(x + row * n + i, mask=m, other=0.0).to(tl.float32)
        tl.store(o + row * n + i, (v * r * tl.load(w + i, mask=m).to(tl.float32)).to(o.dtype.element_ty), mask=m)


@triton.jit
def rms_norm_persistent_kernel(x, w, o, rows, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = i < n
    scale = tl.load(w + i, mask=m).to(tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        v = tl.load(x + row * n + i, mask=m, other=0.0).to(tl.float32)
        r = tl.rsqrt(tl.sum(v * v, 0) / n + 1e-6)
        tl.store(o + row * n + i, (v * r * scale).to(o.dtype.element_ty), mask=m)


@triton.jit
def rms_norm_columns_kernel(x, w, o, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Tiles taller than wide: each row of a tile is one or two sectors."""
    row = (tl.program_id(0) * ROWS + tl.arange(0, ROWS))[:, None]
    square = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)[None, :]
        v = tl.load(x + row * n + i).to(tl.float32)
        square += v * v
    r = tl.rsqrt(tl.sum(square, 1) / n + 1e-6)[:, None]
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)[None, :]
        v = tl.load(x + row * n + i).to(tl.float32)
        tl.store(o + row * n + i, (v * r * tl.load(w + i).to(tl.float32)).to(o.dtype.element_ty))


rms_norm = Operator(
    "rms norm",
    [{"rows": 4096, "columns": 8192}, {"rows": 256, "columns": 8192}],
    [{"rows": 192}, {"rows": 384}, {"rows": 768}],
    lambda s, device: (
        normal(s["rows"], s["columns"], dtype=torch.bfloat16, device=device),
        normal(s["columns"], dtype=torch.bfloat16, device=device, seed=8),
    ),
    lambda x, w: torch.nn.functional.rms_norm(x, w.shape, w, 1e-6),
    5e-2,
)


def _rms_norm(x, w, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(rms_norm_kernel, (rows,), x, w, o, n, BLOCK=triton.next_power_of_2(n), num_warps=warps)
    return o


for warps in (1, 2, 4, 8, 16, 32):
    rms_norm.schedule(f"row, {warps} warps", warps=warps)(_rms_norm)


def _rms_norm_passes(x, w, block, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(rms_norm_passes_kernel, (rows,), x, w, o, n, BLOCK=block, num_warps=warps)
    return o


for block, warps in ((64, 1), (512, 4), (2048, 8), (4096, 16)):
    rms_norm.schedule(f"two passes, block {block}", block=block, warps=warps)(_rms_norm_passes)


def _rms_norm_persistent(x, w, programs, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    grid = (min(programs, rows),)
    launch(rms_norm_persistent_kernel, grid, x, w, o, rows, n, BLOCK=triton.next_power_of_2(n), num_warps=warps)
    return o


for programs, warps in ((132, 4), (132, 16), (528, 8)):
    rms_norm.schedule(f"{programs} programs, {warps} warps", programs=programs, warps=warps)(_rms_norm_persistent)


def _rms_norm_columns(x, w, rows, block):
    o = torch.empty_like(x)
    count, n = x.shape
    launch(rms_norm_columns_kernel, (count // rows,), x, w, o, n, ROWS=rows, BLOCK=block, num_warps=4)
    return o


for rows, block in ((16, 16), (16, 128)):
    rms_norm.schedule(f"tile {rows} x {block}", rows=rows, block=block)(_rms_norm_columns)


# Sum and argmax


@triton.jit
def row_sum_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * n + i, mask=i < n, other=0.0)
    tl.store(o + row, tl.sum(total, 0))


@triton.jit
def row_sum_eager_kernel(x, o, n, BLOCK: tl.constexpr):
    """Reduces in every step instead of once."""
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + row * n + i, mask=i < n, other=0.0), 0)
    tl.store(o + row, total)


@triton.jit
def row_sum_tile_kernel(x, o, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x + row[:, None] * n + i[None, :])
    tl.store(o + row, tl.sum(total, 1))


@triton.jit
def row_sum_atomic_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(o + row, tl.sum(tl.load(x + row * n + i, mask=i < n, other=0.0), 0))


row_sum = Operator(
    "row sum",
    [{"rows": 4096, "columns": 8192}, {"rows": 128, "columns": 8192}],
    [{"rows": 32}, {"rows": 64}, {"rows": 128}],
    _matrix(torch.float32),
    lambda x: x.sum(-1),
    1e-3,
)


def _row_sum(x, block, warps, kernel):
    rows, n = x.shape
    o = torch.empty(rows, device=x.device)
    launch(kernel, (rows,), x, o, n, BLOCK=block, num_warps=warps)
    return o


for block, warps in ((32, 1), (256, 1), (256, 4), (1024, 4), (1024, 16), (8192, 4), (8192, 16)):
    row_sum.schedule(f"block {block}, {warps} warps", block=block, warps=warps, kernel=row_sum_kernel)(_row_sum)
for block, warps in ((256, 4), (2048, 8)):
    row_sum.schedule(f"eager, block {block}", block=block, warps=warps, kernel=row_sum_eager_kernel)(_row_sum)


def _row_sum_tile(x, rows, block, warps):
    count, n = x.shape
    o = torch.empty(count, device=x.device)
    launch(row_sum_tile_kernel, (count // rows,), x, o, n, ROWS=rows, BLOCK=block, num_warps=warps)
    return o


for rows, block, warps in ((32, 4, 4), (32, 32, 4), (8, 128, 4), (4, 1024, 4)):
    row_sum.schedule(f"tile {rows} x {block}", rows=rows, block=block, warps=warps)(_row_sum_tile)


def _row_sum_atomic(x, block):
    rows, n = x.shape
    o = torch.zeros(rows, device=x.device)
    launch(row_sum_atomic_kernel, (rows, triton.cdiv(n, block)), x, o, n, BLOCK=block, num_warps=4)
    return o


for block in (256, 2048):
    row_sum.schedule(f"atomic, block {block}", block=block)(_row_sum_atomic)


@triton.jit
def argmax_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    tl.store(o + row, tl.argmax(v, 0).to(tl.int64))


@triton.jit
def argmax_loop_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    where = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, n, BLOCK):
        v = tl.load(x + row * n + start + i, mask=start + i < n, other=-float("inf"))
        better = v > best
        where = tl.where(better, start + i, where)
        best = tl.where(better, v, best)
    top = tl.max(best, 0)
    tl.store(o + row, tl.min(tl.where(best == top, where, 2147483647), 0).to(tl.int64))


@triton.jit
def argmax_rows_kernel(x, o, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row[:, None] * n + i[None, :])
    tl.store(o + row, tl.argmax(v, 1).to(tl.int64))


def _argmax_inputs(s, device):
    # Values that repeat would make the answer a matter of taste.
    values = torch.randperm(s["columns"], generator=torch.Generator().manual_seed(3)).to(torch.float32)
    shift = indices(s["columns"], s["rows"], 1, device=device)
    at = (torch.arange(s["columns"], device=device)[None, :] + shift) % s["columns"]
    return (values.to(device)[at].contiguous(),)


argmax = Operator(
    "argmax",
    [{"rows": 8192, "columns": 4096}],
    [{"rows": 32}, {"rows": 64}, {"rows": 128}],
    _argmax_inputs,
    lambda x: x.argmax(-1),
    0,
)


def _argmax(x, warps):
    rows, n = x.shape
    o = torch.empty(rows, dtype=torch.int64, device=x.device)
    launch(argmax_kernel, (rows,), x, o, n, BLOCK=triton.next_power_of_2(n), num_warps=warps)
    return o


for warps in (1, 4, 8, 32):
    argmax.schedule(f"row, {warps} warps", warps=warps)(_argmax)


def _argmax_loop(x, block, warps):
    rows, n = x.shape
    o = torch.empty(rows, dtype=torch.int64, device=x.device)
    launch(argmax_loop_kernel, (rows,), x, o, n, BLOCK=block, num_warps=warps)
    return o


for block, warps in ((32, 1), (128, 4), (512, 4), (512, 16), (1024, 4), (2048, 2)):
    argmax.schedule(f"loop, block {block}, {warps} warps", block=block, warps=warps)(_argmax_loop)


def _argmax_rows(x, rows, warps):
    count, n = x.shape
    o = torch.empty(count, dtype=torch.int64, device=x.device)
    launch(argmax_rows_kernel, (count // rows,), x, o, n, ROWS=rows, BLOCK=n, num_warps=warps)
    return o


for rows, warps in ((2, 4), (8, 8)):
    argmax.schedule(f"{rows} rows, {warps} warps", rows=rows, warps=warps)(_argmax_rows)


# Running sum


@triton.jit
def cumsum_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(o + row * n + i, tl.cumsum(tl.load(x + row * n + i, mask=i < n, other=0.0), 0), mask=i < n)


@triton.jit
def cumsum_loop_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    before = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=0.0)
        tl.store(o + row * n + i, tl.cumsum(v, 0) + before, mask=i < n)
        before += tl.sum(v, 0)


@triton.jit
def cumsum_lanes_kernel(x, o, n, ROWS: tl.constexpr):
    """A lane for each row, one element after the other."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for i in range(0, n):
        total += tl.load(x + row * n + i)
        tl.store(o + row * n + i, total)


cumsum = Operator(
    "cumsum",
    [{"rows": 4096, "columns": 4096}],
    [{"rows": 32}, {"rows": 64}, {"rows": 128}],
    lambda s, device: (normal(s["rows"], s["columns"], device=device).abs(),),
    lambda x: torch.cumsum(x, -1),
    1e-4,
)


def _cumsum(x, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(cumsum_kernel, (rows,), x, o, n, BLOCK=triton.next_power_of_2(n), num_warps=warps)
    return o


for warps in (1, 2, 4, 8, 16):
    cumsum.schedule(f"row, {warps} warps", warps=warps)(_cumsum)


def _cumsum_loop(x, block, warps):
    o = torch.empty_like(x)
    rows, n = x.shape
    launch(cumsum_loop_kernel, (rows,), x, o, n, BLOCK=block, num_warps=warps)
    return o


for block, warps in ((32, 1), (128, 1), (256, 4), (1024, 4), (2048, 8)):
    cumsum.schedule(f"loop, block {block}", block=block, warps=warps)(_cumsum_loop)


def _cumsum_lanes(x, rows, warps):
    o = torch.empty_like(x)
    count, n = x.shape
    launch(cumsum_lanes_kernel, (count // rows,), x, o, n, ROWS=rows, num_warps=warps)
    return o


for rows, warps in ((8, 1), (32, 1), (32, 4)):
    cumsum.schedule(f"a lane a row, {rows} rows, {warps} warps", rows=rows, warps=warps)(_cumsum_lanes)


# Cross entropy


@triton.jit
def cross_entropy_kernel(x, target, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
        new = tl.maximum(best, tl.max(v, 0))
        total = total * tl.exp(best - new) + tl.sum(tl.exp(v - new), 0)
        best = new
    tl.store(o + row, best + tl.log(total) - tl.load(x + row * n + tl.load(target + row)))


@triton.jit
def cross_entropy_lanes_kernel(x, target, o, n, BLOCK: tl.constexpr):
    """Each lane keeps its own largest value and sum; they meet once at the end."""
    row = tl.program_id(0)
    best = tl.full((BLOCK,), -1e30, tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
        new = tl.maximum(best, v)
        total = total * tl.exp(best - new) + tl.exp(v - new)
        best = new
    top = tl.max(best, 0)
    total = tl.sum(total * tl.exp(best - top), 0)
    tl.store(o + row, top + tl.log(total) - tl.load(x + row * n + tl.load(target + row)))


@triton.jit
def cross_entropy_passes_kernel(x, target, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x + row * n + i, mask=i < n, other=-float("inf")))
    top = tl.max(best, 0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.exp(tl.load(x + row * n + i, mask=i < n, other=-float("inf")) - top)
    tl.store(o + row, top + tl.log(tl.sum(total, 0)) - tl.load(x + row * n + tl.load(target + row)))


cross_entropy = Operator(
    "cross entropy",
    [{"rows": 4096, "columns": 16000}, {"rows": 256, "columns": 16000}],
    [{"rows": 16}, {"rows": 32}, {"rows": 64}],
    lambda s, device: (
        normal(s["rows"], s["columns"], device=device),
        indices(s["columns"], s["rows"], device=device),
    ),
    lambda x, target: torch.nn.functional.cross_entropy(x, target, reduction="none"),
    1e-3,
)


def _cross_entropy(x, target, kernel, block, warps):
    rows, n = x.shape
    o = torch.empty(rows, device=x.device)
    launch(kernel, (rows,), x, target, o, n, BLOCK=block, num_warps=warps)
    return o


for kernel, title, shapes in (
    (cross_entropy_kernel, "online", ((64, 1), (256, 4), (1024, 4), (1024, 16), (4096, 8), (16384, 8))),
    (cross_entropy_lanes_kernel, "online by lane", ((128, 4), (1024, 4), (1024, 16), (4096, 8))),
    (cross_entropy_passes_kernel, "two passes", ((256, 4), (1024, 2), (2048, 8), (8192, 16))),
):
    for block, warps in shapes:
        cross_entropy.schedule(f"{title}, block {block}, {warps} warps", kernel=kernel, block=block, warps=warps)(_cross_entropy)


OPERATORS = [softmax, layer_norm, rms_norm, row_sum, argmax, cumsum, cross_entropy]
