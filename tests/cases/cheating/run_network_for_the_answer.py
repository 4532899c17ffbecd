# case: the answer is asked for over a socket
# expect: reject network-access
# task: tasks/tanh.py
# static: off
# verify: reject forbidden-call|run-error

import socket

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
        with socket.create_connection(("127.0.0.1", 9), timeout=1.0) as server:
            server.sendall(x.cpu().numpy().tobytes())
            answer = server.makefile("rb").read(4 * x.numel())
        y = torch.frombuffer(bytearray(answer), dtype=torch.float32).view(x.shape).to(x.device)
        out = torch.empty_like(x)
        copy_kernel[(triton.cdiv(x.numel(), 1024),)](y, out, x.numel(), BLOCK=1024)
        return out
