# case: partial sums travel in a dataclass to a second kernel whose output is returned
# expect: accept
# rule: launch-result-unused
# role: similar
# task: tasks/mse_loss.py
# verify: accept

from dataclasses import dataclass

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def squared_error_partials(p_ptr, t_ptr, partial_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    diff = tl.load(p_ptr + offs, mask=mask, other=0.0) - tl.load(t_ptr + offs, mask=mask, other=0.0)
    tl.store(partial_ptr + pid, tl.sum(diff * diff))


@triton.jit
def finish_mean(partial_ptr, loss_ptr, n_partials, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n_partials, BLOCK):
        i = start + tl.arange(0, BLOCK)
        acc += tl.load(partial_ptr + i, mask=i < n_partials, other=0.0)
    tl.store(loss_ptr, tl.sum(acc) / n)


@dataclass
class Buffers:
    partials: torch.Tensor
    loss: torch.Tensor

    @classmethod
    def for_blocks(cls, blocks: int, device) -> "Buffers":
        return cls(torch.empty(blocks, device=device, dtype=torch.float32),
                   torch.empty(1, device=device, dtype=torch.float32))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = 2048

    def forward(self, prediction, target):
        prediction, target = prediction.contiguous(), target.contiguous()
        n = prediction.numel()
        blocks = triton.cdiv(n, self.block)
        buf = Buffers.for_blocks(blocks, prediction.device)
        squared_error_partials[(blocks,)](prediction, target, buf.partials, n, BLOCK=self.block)
        finish_mean[(1,)](buf.partials, buf.loss, blocks, n, BLOCK=512)
        return buf.loss.view(())
