# case: torch computes in a helper thread, where a dispatch mode of the main thread does not reach
# expect: reject background-work
# task: tasks/matmul_small.py
# static: off
# verify: reject torch-compute|background-work

from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        with ThreadPoolExecutor(max_workers=1) as pool:
            product = pool.submit(torch.mm, a, b).result()
        out = torch.empty_like(product)
        copy_kernel[(triton.cdiv(out.numel(), 1024),)](product, out, out.numel(), BLOCK=1024)
        return out
