# case: a flat workspace is cut into pieces of several types
# expect: accept
# task: tasks/kl_divergence.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def lse_kernel(x_ptr, lse_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    top = tl.max(x, axis=0)
    tl.store(lse_ptr + row, top + tl.log(tl.sum(tl.exp(x - top), axis=0)))


@triton.jit
def row_kernel(s_ptr, t_ptr, ls_ptr, lt_ptr, loss_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    s = tl.load(s_ptr + row * n + c, mask=m, other=0.0) - tl.load(ls_ptr + row)
    t = tl.load(t_ptr + row * n + c, mask=m, other=0.0) - tl.load(lt_ptr + row)
    tl.store(loss_ptr + row, tl.sum(tl.where(m, tl.exp(t) * (t - s), 0.0), axis=0))


@triton.jit
def mean_kernel(loss_ptr, out_ptr, rows, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr, tl.sum(tl.load(loss_ptr + i, mask=i < rows, other=0.0), axis=0) / rows)


class ModelNew(nn.Module):
    def forward(self, student, teacher):
        student, teacher = student.contiguous(), teacher.contiguous()
        rows, n = student.shape
        space = torch.empty(3 * rows * 4, device=student.device, dtype=torch.uint8).view(torch.float32)
        lse_s, lse_t, losses = space[:rows], space[rows:2 * rows], space[2 * rows:]
        out = torch.empty((), device=student.device, dtype=student.dtype)
        block = triton.next_power_of_2(n)
        lse_kernel[(rows,)](student, lse_s, n, BLOCK=block)
        lse_kernel[(rows,)](teacher, lse_t, n, BLOCK=block)
        row_kernel[(rows,)](student, teacher, lse_s, lse_t, losses, n, BLOCK=block)
        mean_kernel[(1,)](losses, out, rows, BLOCK=triton.next_power_of_2(rows))
        return out
