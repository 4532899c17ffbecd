# case: the kernel is compiled by warmup() and never launched: the output is whatever was in memory
# expect: reject no-launch
# rule: no-launch
# role: disguised
# task: tasks/softmax.py
# verify: reject no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(out_ptr, in_ptr, in_stride, out_stride, n_rows, n_cols, BLOCK: tl.constexpr, num_stages: tl.constexpr):
    start = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(start, n_rows, step, num_stages=num_stages):
        cols = tl.arange(0, BLOCK)
        mask = cols < n_cols
        x = tl.load(in_ptr + row * in_stride + cols, mask=mask, other=-float("inf"))
        x = x - tl.max(x, axis=0)
        e = tl.exp(x)
        tl.store(out_ptr + row * out_stride + cols, e / tl.sum(e, axis=0), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1]).contiguous()
        n_rows, n_cols = rows.shape
        block = triton.next_power_of_2(n_cols)
        num_warps = 8
        out = torch.empty_like(rows)
        softmax_kernel.warmup(out, rows, rows.stride(0), out.stride(0), n_rows, n_cols, BLOCK=block, num_stages=2, num_warps=num_warps, grid=(1,))
        return out.reshape(x.shape)
