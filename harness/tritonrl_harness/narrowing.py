"""Whether a reference itself goes through types narrower than fp32 on its way: its kernels may, too."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

_NARROW = {dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype) and dtype.is_floating_point and dtype.itemsize < 4}


class Narrowing(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.found = False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for one in result if isinstance(result, (tuple, list)) else (result,):
            self.found |= isinstance(one, torch.Tensor) and one.dtype in _NARROW
        return result
