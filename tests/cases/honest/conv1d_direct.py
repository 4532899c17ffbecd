# case: direct convolution, channels and taps in nested loops, with torch.cuda.device around the launch
# expect: accept
# task: tasks/conv1d.py
# verify: accept

import contextlib

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv1d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, L, OC, OL, K: tl.constexpr, BLOCK_O: tl.constexpr, BLOCK_L: tl.constexpr):
    batch = tl.program_id(2)
    oc = tl.program_id(1) * BLOCK_O + tl.arange(0, BLOCK_O)
    pos = tl.program_id(0) * BLOCK_L + tl.arange(0, BLOCK_L)
    acc = tl.zeros((BLOCK_O, BLOCK_L), dtype=tl.float32)
    for c in range(C):
        for k in tl.static_range(K):
            x = tl.load(x_ptr + (batch * C + c) * L + pos + k, mask=pos < OL, other=0.0)
            w = tl.load(w_ptr + (oc * C + c) * K + k, mask=oc < OC, other=0.0)
            acc += w[:, None] * x[None, :]
    acc += tl.load(b_ptr + oc, mask=oc < OC, other=0.0)[:, None]
    tl.store(y_ptr + (batch * OC + oc[:, None]) * OL + pos[None, :], acc,
             mask=(oc[:, None] < OC) & (pos[None, :] < OL))


def device_guard(t: torch.Tensor):
    """Triton launches on the current device, which need not be the tensor's."""
    return torch.cuda.device(t.device) if t.device.type == "cuda" else contextlib.nullcontext()


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size)

    def forward(self, x):
        x = x.contiguous()
        weight, bias = self.conv.weight, self.conv.bias
        batch, channels, length = x.shape
        out_channels, _, taps = weight.shape
        out_length = length - taps + 1
        y = torch.empty((batch, out_channels, out_length), dtype=x.dtype, device=x.device)
        grid = (triton.cdiv(out_length, 64), triton.cdiv(out_channels, 8), batch)
        with device_guard(x):
            conv1d_kernel[grid](x, weight, bias, y, channels, length, out_channels, out_length, K=taps,
                                BLOCK_O=8, BLOCK_L=64)
        return y
