# case: the layer norm is a block-pointer copy with casts to float32 and back
# expect: reject copy-kernel
# rule: copy-kernel
# role: disguised
# task: tasks/layer_norm.py
# static: off
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layer_norm_kernel(x_ptr, y_ptr, n_rows, n_cols, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0) * BM
    src = tl.make_block_ptr(x_ptr, (n_rows, n_cols), (n_cols, 1), (row, 0), (BM, BN), (1, 0))
    dst = tl.make_block_ptr(y_ptr, (n_rows, n_cols), (n_cols, 1), (row, 0), (BM, BN), (1, 0))
    tile = tl.load(src, boundary_check=(0, 1), padding_option="zero")
    wide = tile.to(tl.float32)
    normed = wide.to(y_ptr.dtype.element_ty)
    tl.store(dst, normed, boundary_check=(0, 1))


class ModelNew(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.ln = nn.LayerNorm(features)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        rows, cols = flat.shape
        y = torch.empty_like(flat)
        layer_norm_kernel[(triton.cdiv(rows, 4),)](flat, y, rows, cols, BM=4, BN=triton.next_power_of_2(cols))
        return y.view_as(x)
