"""What a task's inputs promise however they are drawn: a triangle of zeros, symmetry, values of a set of two. A kernel may rely on it, so
that inputs drawn by us keep it too."""

import torch

from .values import floats_of

_FEWEST_ELEMENTS = 16
_FEWEST_ZEROS = 1 / 8  # of all elements


class Promise:
    """Of one tensor. `zeros`: where it always holds 0. `symmetric`: in its last two dimensions. `pair`: all that it ever holds."""

    def __init__(self, zeros=None, symmetric=False, pair=None):
        self._zeros, self._symmetric, self._pair = zeros, symmetric, pair

    def kept_in(self, x, draw):
        """`x`, drawn by us, as the task would have it."""
        if self._pair:
            x = torch.where(draw.uniform(x.shape) < 0.5, *self._pair).to(x.dtype)
        if self._symmetric:
            x = x.triu() + x.triu(1).mT
        return x if self._zeros is None else x.masked_fill(self._zeros, 0.0)

    def free_place(self, x, draw):
        """An element that need not be what it is."""
        if self._zeros is None:
            return torch.unravel_index(torch.tensor(int(draw.below(x.numel(), (1,)))), x.shape)
        free = (~self._zeros).nonzero()
        return tuple(free[int(draw.below(len(free), (1,)))].cpu())

    def other(self, value, wanted):
        """The element's value in place of this one."""
        if not self._pair:
            return wanted
        low, high = self._pair
        return high if value == low else low

    def write(self, x, place, value):
        x[place] = value
        if self._symmetric:
            x.mT[place] = value


NO_PROMISE = Promise()


def promises(inputs, draw_again):
    """One for each of the floating-point tensors among inputs: what holds in another draw too."""
    floats = floats_of(inputs)
    if not any(_may_promise(x) for x in floats):
        return [NO_PROMISE] * len(floats)
    return [_promise(x, other) for x, other in zip(floats, floats_of(draw_again()))]


def _may_promise(x):
    return x.numel() >= _FEWEST_ELEMENTS and (_has_zeros(x) or _is_symmetric(x) or _pair(x) is not None)


def _promise(x, other):
    if not _may_promise(x) or x.shape != other.shape:
        return NO_PROMISE
    fixed_zeros = _has_zeros(x) and torch.equal(x == 0, other == 0)
    return Promise(
        zeros=x == 0 if fixed_zeros else None,
        symmetric=_is_symmetric(x) and _is_symmetric(other),
        pair=_pair(x) if _pair(x) == _pair(other) and not fixed_zeros else None,
    )


def _has_zeros(x):
    share = 1 - float(x.count_nonzero()) / x.numel()
    return _FEWEST_ZEROS <= share < 1


def _is_symmetric(x):
    square = x.dim() >= 2 and x.shape[-1] == x.shape[-2] > 1
    return square and torch.equal(x, x.mT) and bool((x != x.flatten()[0]).any())


def _pair(x):
    low, high = float(x.min()), float(x.max())
    return (low, high) if low < high and bool(((x == low) | (x == high)).all()) else None
