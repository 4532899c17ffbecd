"""Initialisers that would give constants draw numbers instead: a factor of 1 or a bias of 0 hides that it is left out."""

import contextlib

import torch


@contextlib.contextmanager
def random_constants():
    """Both sides construct under this and the same seed, so that alike constructors draw alike."""
    names = ("ones_", "zeros_", "constant_")
    before = {name: getattr(torch.nn.init, name) for name in names}
    torch.nn.init.ones_ = lambda tensor: _draw(tensor, 1.0)
    torch.nn.init.zeros_ = lambda tensor: _draw(tensor, 0.0)
    torch.nn.init.constant_ = lambda tensor, val: _draw(tensor, float(val))
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(torch.nn.init, name, function)


def _draw(tensor, around):
    with torch.no_grad():
        if not tensor.is_floating_point():
            return tensor.fill_(around)
        return tensor.copy_(torch.randn(tensor.shape) * 0.25 + around)
