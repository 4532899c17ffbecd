# case: modern Python syntax (match, walrus, soft keywords as names, nested f-strings) around an ordinary row sum
# expect: accept
# rule: syntax-error
# role: similar
# task: tasks/row_sum.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(x_ptr, out_ptr, n_cols, stride_m, stride_n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * stride_m + cols * stride_n, mask=cols < n_cols, other=0.0)
    tl.store(out_ptr + row, tl.sum(acc, axis=0))


def launch_shape(kind: str, /, n: int, *, cap: int | None = None) -> tuple[int, int]:
    match kind, n:
        case ("row", n) if n <= 1_024:
            block, warps = max(16, triton.next_power_of_2(n)), 4
        case ("row" | "line", _):
            block, warps = 1_024, 8
        case (str() as other, _):
            width = 12
            raise ValueError(f"cannot lay out {other!r:>{width}} of {f'{n:,}'} elements")
    return (block if cap is None or block <= cap else cap), warps


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        match, case, type = x.shape[0], x.shape[1], x.dtype
        out = torch.empty((match,), device=x.device, dtype=type)
        block, warps = launch_shape("row", case, cap=2048)
        if (grid := (match,))[0] > 0:
            row_sum_kernel[grid](x, out, case, *x.stride(), BLOCK=block, num_warps=warps)
        return out
