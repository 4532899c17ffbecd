"""Operators that move data across rows: column sum, transpose, embedding."""

import torch
import triton
import triton.language as tl

from .task import Operator, indices, launch, normal


@triton.jit
def column_sum_kernel(x, o, rows, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for r in range(0, rows, ROWS):
        i = r + tl.arange(0, ROWS)
        total += tl.load(x + i[:, None] * n + c[None, :])
    tl.store(o + c, tl.sum(total, 0))


@triton.jit
def column_sum_atomic_kernel(x, o, n, per_program, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first = tl.program_id(1) * per_program
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for r in range(first, first + per_program, ROWS):
        i = r + tl.arange(0, ROWS)
        total += tl.load(x + i[:, None] * n + c[None, :])
    tl.atomic_add(o + c, tl.sum(total, 0))


@triton.jit
def column_sum_part_kernel(x, part, n, per_program, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first = tl.program_id(1) * per_program
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for r in range(first, first + per_program, ROWS):
        i = r + tl.arange(0, ROWS)
        total += tl.load(x + i[:, None] * n + c[None, :])
    tl.store(part + tl.program_id(1) * n + c, tl.sum(total, 0))


column_sum = Operator(
    "column sum",
    [{"rows": 8192, "columns": 4096}],
    [{"rows": 1024}, {"rows": 2048}, {"rows": 4096}],
    lambda s, device: (normal(s["rows"], s["columns"], device=device),),
    lambda x: x.sum(0),
    1e-3,
)


def _column_sum(x, rows, block, warps):
    count, n = x.shape
    o = torch.empty(n, device=x.device)
    launch(column_sum_kernel, (n // block,), x, o, count, n, ROWS=rows, BLOCK=block, num_warps=warps)
    return o


for rows, block, warps in ((1, 32, 1), (1, 128, 4), (32, 8, 4), (32, 32, 4), (32, 32, 8), (64, 32, 16), (16, 128, 8), (256, 1, 4), (128, 64, 4)):
    column_sum.schedule(f"tile {rows} x {block}, {warps} warps", rows=rows, block=block, warps=warps)(_column_sum)


def _column_sum_atomic(x, split, rows, block, warps):
    count, n = x.shape
    o = torch.zeros(n, device=x.device)
    launch(column_sum_atomic_kernel, (n // block, split), x, o, n, count // split, ROWS=rows, BLOCK=block, num_warps=warps)
    return o


for split, rows, block, warps in ((8, 16, 64, 4), (32, 8, 128, 4), (128, 2, 128, 4), (256, 1, 256, 4), (32, 8, 512, 8)):
    column_sum.schedule(f"atomic, {split} parts, block {block}", split=split, rows=rows, block=block, warps=warps)(_column_sum_atomic)


def _column_sum_parts(x, split):
    count, n = x.shape
    part = torch.empty(split, n, device=x.device)
    o = torch.empty(n, device=x.device)
    launch(column_sum_part_kernel, (n // 128, split), x, part, n, count // split, ROWS=8, BLOCK=128, num_warps=4)
    launch(column_sum_kernel, (n // 32,), part, o, split, n, ROWS=16, BLOCK=32, num_warps=4)
    return o


for split in (32, 128):
    column_sum.schedule(f"{split} parts, then their sum", split=split)(_column_sum_parts)


@triton.jit
def transpose_kernel(x, o, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    i = tl.program_id(0) * BR + tl.arange(0, BR)
    j = tl.program_id(1) * BC + tl.arange(0, BC)
    v = tl.load(x + i[:, None] * columns + j[None, :])
    tl.store(o + j[:, None] * rows + i[None, :], tl.trans(v))


@triton.jit
def transpose_flat_kernel(x, o, rows, columns, BY_OUTPUT: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if BY_OUTPUT:
        tl.store(o + at, tl.load(x + (at % rows) * columns + at // rows))
    else:
        tl.store(o + (at % columns) * rows + at // columns, tl.load(x + at))


transpose = Operator(
    "transpose",
    [{"rows": 4096, "columns": 4096}, {"rows": 1024, "columns": 1024}],
    [{"rows": 1024, "columns": 1024}, {"rows": 2048, "columns": 1024}, {"rows": 1024, "columns": 2048}, {"rows": 2048, "columns": 2048}],
    lambda s, device: (normal(s["rows"], s["columns"], device=device),),
    lambda x: x.t().contiguous(),
    0,
)


def _transpose(x, br, bc, warps):
    rows, columns = x.shape
    o = torch.empty(columns, rows, device=x.device)
    launch(transpose_kernel, (rows // br, columns // bc), x, o, rows, columns, BR=br, BC=bc, num_warps=warps)
    return o


for br, bc, warps in ((1, 128, 4), (4, 128, 4), (128, 4, 4), (8, 8, 1), (16, 16, 1), (16, 16, 4), (32, 32, 1), (32, 32, 4), (64, 64, 4), (64, 64, 8), (128, 128, 8), (32, 128, 4)):
    transpose.schedule(f"tile {br} x {bc}, {warps} warps", br=br, bc=bc, warps=warps)(_transpose)


def _transpose_flat(x, by_output):
    rows, columns = x.shape
    o = torch.empty(columns, rows, device=x.device)
    launch(transpose_flat_kernel, (x.numel() // 1024,), x, o, rows, columns, BY_OUTPUT=by_output, BLOCK=1024, num_warps=4)
    return o


for by_output in (True, False):
    transpose.schedule(f"flat, in order of the {'output' if by_output else 'input'}", by_output=by_output)(_transpose_flat)


@triton.jit
def embedding_kernel(table, index, o, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    at = tl.load(index + row)
    v = tl.load(table + at[:, None] * width + i[None, :])
    tl.store(o + row[:, None] * width + i[None, :], v)


@triton.jit
def embedding_flat_kernel(table, index, o, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(index + at // width)
    tl.store(o + at, tl.load(table + row * width + at % width))


@triton.jit
def embedding_loop_kernel(table, index, o, count, width, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), count, tl.num_programs(0)):
        at = tl.load(index + row)
        for start in range(0, width, BLOCK):
            tl.store(o + row * width + start + i, tl.load(table + at * width + start + i))


embedding = Operator(
    "embedding",
    [{"tokens": 32768, "width": 1024}],
    [{"tokens": 512}, {"tokens": 1024}, {"tokens": 2048}],
    lambda s, device: (
        normal(32000, s["width"], dtype=torch.float16, device=device),
        indices(32000, s["tokens"], device=device),
    ),
    lambda table, index: torch.nn.functional.embedding(index, table),
    0,
)


def _embedding(table, index, rows, block, warps):
    width = table.shape[1]
    o = torch.empty(index.numel(), width, dtype=table.dtype, device=table.device)
    grid = (index.numel() // rows, width // block)
    launch(embedding_kernel, grid, table, index, o, width, ROWS=rows, BLOCK=block, num_warps=warps)
    return o


for rows, block, warps in ((1, 1024, 1), (1, 1024, 4), (1, 1024, 8), (1, 128, 1), (1, 64, 4), (4, 1024, 4), (16, 1024, 8), (32, 1024, 4), (32, 16, 4), (64, 8, 4)):
    embedding.schedule(f"tile {rows} x {block}, {warps} warps", rows=rows, block=block, warps=warps)(_embedding)


def _embedding_flat(table, index, block):
    width = table.shape[1]
    o = torch.empty(index.numel(), width, dtype=table.dtype, device=table.device)
    launch(embedding_flat_kernel, (o.numel() // block,), table, index, o, width, BLOCK=block, num_warps=4)
    return o


for block in (128, 1024):
    embedding.schedule(f"flat, block {block}", block=block)(_embedding_flat)


def _embedding_loop(table, index, programs, block, warps):
    width = table.shape[1]
    o = torch.empty(index.numel(), width, dtype=table.dtype, device=table.device)
    launch(embedding_loop_kernel, (programs,), table, index, o, index.numel(), width, BLOCK=block, num_warps=warps)
    return o


for programs, block, warps in ((132, 256, 4), (132, 1024, 4), (264, 64, 1)):
    embedding.schedule(f"loop, {programs} programs, block {block}", programs=programs, block=block, warps=warps)(_embedding_loop)


OPERATORS = [column_sum, transpose, embedding]
