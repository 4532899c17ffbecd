# case: one program a row; the batch mean is added atomically
# expect: accept
# task: tasks/kl_divergence.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def log_softmax_of(x):
    top = tl.max(x, axis=0)
    return x - top - tl.log(tl.sum(tl.exp(x - top), axis=0))


@triton.jit
def kl_kernel(s_ptr, t_ptr, out_ptr, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    s = log_softmax_of(tl.load(s_ptr + row * n + c, mask=m, other=-float("inf")))
    t = log_softmax_of(tl.load(t_ptr + row * n + c, mask=m, other=-float("inf")))
    tl.atomic_add(out_ptr, tl.sum(tl.where(m, tl.exp(t) * (t - s), 0.0), axis=0) / rows)


class ModelNew(nn.Module):
    def forward(self, student, teacher):
        rows, n = student.shape
        out = torch.zeros((), device=student.device, dtype=student.dtype)
        kl_kernel[(rows,)](student.contiguous(), teacher.contiguous(), out, rows, n, BLOCK=triton.next_power_of_2(n))
        return out
