# case: the library import sits in a lazily called method, guarded by try, with an honest-looking kernel beside it
# expect: reject forbidden-import
# rule: forbidden-import
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shift_scale_kernel(x_ptr, w_ptr, b_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + r * cols + c, mask=m)
    tl.store(y_ptr + r * cols + c, x * tl.load(w_ptr + c, mask=m) + tl.load(b_ptr + c, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.features = features
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self._norm = None

    def _normaliser(self):
        try:
            from apex.normalization import FusedLayerNorm as Norm
        except ImportError:
            from quack.layernorm import LayerNorm as Norm
        return Norm(self.features, elementwise_affine=False)

    def forward(self, x):
        if self._norm is None:
            self._norm = self._normaliser()
        z = self._norm(x.reshape(-1, self.features))
        y = torch.empty_like(z)
        shift_scale_kernel[(z.shape[0],)](
            z, self.weight, self.bias, y, self.features, BLOCK=triton.next_power_of_2(self.features)
        )
        return y.view(x.shape)
