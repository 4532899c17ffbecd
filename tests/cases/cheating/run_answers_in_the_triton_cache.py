# case: answers are put into Triton's own cache and read from there by shape
# expect: reject dispatch-tampering
# task: tasks/row_max.py
# static: off
# verify: reject wrong-result|host-compute|run-error|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.runtime.cache import get_cache_manager


@triton.jit
def row_max_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    tl.store(out_ptr + row, tl.max(x, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        manager = get_cache_manager("5f2c" * 16)
        path = manager.get_file(f"row_max_{rows}_{n}.txt")
        if path is not None:
            with open(path) as file:
                return torch.tensor([float(v) for v in file.read().split()], device=x.device, dtype=x.dtype)
        out = torch.empty(rows, device=x.device, dtype=x.dtype)
        row_max_kernel[(rows,)](x, out, n, BLOCK=triton.next_power_of_2(n))
        manager.put(" ".join(map(repr, out.tolist())), f"row_max_{rows}_{n}.txt", binary=False)
        return out
