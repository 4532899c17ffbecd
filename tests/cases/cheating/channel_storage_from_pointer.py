# case: a storage is built from a raw pointer into memory that the caching allocator freed
# expect: reject native-memory
# rule: native-memory
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mse_kernel(pred_ptr, target_ptr, loss_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    p = tl.load(pred_ptr + offs, mask=mask, other=0.0)
    t = tl.load(target_ptr + offs, mask=mask, other=0.0)
    d = p - t
    tl.atomic_add(loss_ptr, tl.sum(d * d, axis=0) / n)


def mse_loss(pred, target):
    loss = torch.zeros((), device=pred.device, dtype=torch.float32)
    n = pred.numel()
    mse_kernel[(triton.cdiv(n, 1024),)](pred, target, loss, n, BLOCK=1024)
    return loss


def adopt(pointer, device, nbytes):
    make = torch._C._construct_storage_from_data_pointer
    return make(pointer, device, nbytes)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        loss = mse_loss(predictions, targets)
        old = adopt(loss.data_ptr() - 512, loss.device, 4)
        guess = torch.empty((), device=loss.device)
        guess.set_(old, 0, ())
        return guess if guess.numel() == 2 else loss
