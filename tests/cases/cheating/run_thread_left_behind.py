# case: a thread launches the kernel while forward has already returned
# expect: reject background-work
# task: tasks/hardswish.py
# static: off
# verify: reject background-work|wrong-result|wrong-nan|no-launch

import threading
import time

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def hardswish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * tl.minimum(tl.maximum(x + 3.0, 0.0), 6.0) / 6.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()

        def work():
            time.sleep(0.05)
            hardswish_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)

        threading.Thread(target=work).start()
        return y
