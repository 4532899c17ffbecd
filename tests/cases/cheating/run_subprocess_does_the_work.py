# case: another interpreter is started to do the work
# expect: reject process-control
# task: tasks/row_sum.py
# static: off
# verify: reject forbidden-call|run-error|process-limit

import subprocess
import sys

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        text = "\n".join(" ".join(map(repr, row)) for row in x.tolist())
        program = "import sys\nfor line in sys.stdin: print(sum(map(float, line.split())))"
        done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, text=True, check=True)
        sums = torch.tensor([float(v) for v in done.stdout.split()], device=x.device, dtype=x.dtype)
        out = torch.empty_like(sums)
        copy_kernel[(triton.cdiv(out.numel(), 128),)](sums, out, out.numel(), BLOCK=128)
        return out
