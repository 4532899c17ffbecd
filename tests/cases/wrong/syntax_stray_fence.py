# case: a markdown fence was copied into the file between kernel and class
# expect: reject syntax-error
# rule: syntax-error
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _leaky_relu(src, dst, numel, slope, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = idx < numel
    v = tl.load(src + idx, mask=inside, other=0.0)
    tl.store(dst + idx, tl.where(v >= 0, v, v * slope), mask=inside)


def leaky_relu(x, slope=0.01):
    out = torch.empty_like(x)
    total = x.numel()
    _leaky_relu[(triton.cdiv(total, 512),)](x, out, total, slope, BLOCK=512)
    return out

```

And the module that uses it:

```python
class ModelNew(nn.Module):
    def forward(self, x):
        return leaky_relu(x)
