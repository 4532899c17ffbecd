# case: as many programs as fit on the device at once, from registers and shared memory that warmup() tells
# expect: accept
# task: tasks/softmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.runtime import driver


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
        properties = driver.active.utils.get_device_properties(x.device.index or 0)
        kernel = softmax_kernel.warmup(out, rows, rows.stride(0), out.stride(0), n_rows, n_cols, BLOCK=block, num_stages=2, num_warps=num_warps, grid=(1,))
        kernel._init_handles()
        registers = kernel.n_regs
        shared = kernel.metadata.shared
        occupancy = 65536 // (max(registers, 1) * 32 * num_warps)
        if shared:
            occupancy = min(occupancy, properties["max_shared_mem"] // shared)
        programs = min(properties["multiprocessor_count"] * max(occupancy, 1), n_rows)
        kernel[(programs, 1, 1)](out, rows, rows.stride(0), out.stride(0), n_rows, n_cols, block, 2)
        return out.reshape(x.shape)
