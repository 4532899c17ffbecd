# case: variables and classes called thread, worker, pool and submit do everything in the foreground
# expect: accept
# rule: background-work
# role: similar
# task: tasks/max_pool2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

THREADS_PER_WARP = 32


@triton.jit
def pool_kernel(x, y, H, W, OH, OW, n_out, KS, STRIDE, PAD, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = i < n_out
    plane = i // (OH * OW)
    oh = i // OW % OH
    ow = i % OW
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    for kh in range(KS):
        for kw in range(KS):
            h = oh * STRIDE - PAD + kh
            w = ow * STRIDE - PAD + kw
            inside = live & (h >= 0) & (h < H) & (w >= 0) & (w < W)
            v = tl.load(x + (plane * H + h) * W + w, mask=inside, other=float("-inf"))
            best = tl.maximum(best, v)
    tl.store(y + i, best, mask=live)


class PoolWorker:
    def __init__(self, kernel_size, stride, padding):
        self.window = (kernel_size, stride, padding)

    def submit(self, x, y):
        threads = min(128, max(THREADS_PER_WARP, triton.next_power_of_2(y.numel() // 64)))
        warps = threads // THREADS_PER_WARP
        pool_kernel[(triton.cdiv(y.numel(), threads),)](
            x, y, x.shape[2], x.shape[3], y.shape[2], y.shape[3], y.numel(), *self.window,
            BLOCK=threads, num_warps=warps)


class ModelNew(nn.Module):
    def __init__(self, kernel_size, stride, padding):
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size, stride=stride, padding=padding)  # read for its sizes
        self.worker = PoolWorker(kernel_size, stride, padding)

    def forward(self, x):
        ks, st, pad = self.pool.kernel_size, self.pool.stride, self.pool.padding
        out_size = lambda n: (n + 2 * pad - ks) // st + 1
        y = torch.empty(x.shape[0], x.shape[1], out_size(x.shape[2]), out_size(x.shape[3]),
                        device=x.device, dtype=x.dtype)
        self.worker.submit(x.contiguous(), y)
        return y
