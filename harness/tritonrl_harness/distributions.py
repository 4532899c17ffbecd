"""Inputs that a reference's own get_inputs() would not draw: what a cheat that only suits the usual ones gets wrong."""

import itertools

import torch
from torch.utils._pytree import tree_map

from .promises import NO_PROMISE
from .values import with_layout_of

# The largest magnitude that a distribution aims at, by dtype: products of two must stay finite.
_LARGE = {torch.float16: 32.0, torch.bfloat16: 256.0}


_ROWS_WITH_A_ZERO = 4  # of fewer none has to be zero


def _normal(x, draw):
    return draw.normal(x.shape)


def _sign_varied(x, draw):
    return x.double() * draw.signs(x.shape)


def _heavy_tailed(x, draw):
    """Student's t with two degrees of freedom, cut off."""
    limit = _LARGE.get(x.dtype, 1000.0)
    spread = (draw.normal(x.shape).square() + draw.normal(x.shape).square()).div(2).sqrt().clamp_min(1e-3)
    return (draw.normal(x.shape) / spread).clamp(-limit, limit)


def _clustered(x, draw):
    """Few values, close together, and ties."""
    centres = draw.normal((4,))
    return centres[draw.below(4, x.shape)] + 1e-3 * draw.below(3, x.shape)


def _large(x, draw):
    return draw.normal(x.shape) * _LARGE.get(x.dtype, 1000.0) / 4


def _tiny(x, draw):
    return draw.normal(x.shape) * (1e-3 if x.dtype == torch.float16 else 1e-6)


def _constant_rows(x, draw):
    """Each row one value, in some zero: a mean looks like the whole, and what is divided by a norm wants its epsilon."""
    shape = (*x.shape[:-1], 1) if x.dim() else ()
    rows = draw.normal(shape) * (draw.below(8, shape) > 0)
    if rows.numel() >= _ROWS_WITH_A_ZERO:
        rows.view(-1)[draw.below(rows.numel(), (1,))] = 0.0
    return rows.expand(x.shape).contiguous()


def _far_up(x, draw):
    """Beyond the range of fp16, where fp32 is at ease."""
    return draw.normal(x.shape) * (_LARGE.get(x.dtype, 3e5))


def _around_one(x, draw):
    """Products of thousands neither vanish nor overflow."""
    return (0.02 * draw.normal(x.shape)).exp() * draw.signs(x.shape)


class NotApplicable(Exception):
    """A distribution that makes no sense for these inputs."""


DISTRIBUTIONS = {
    "normal": _normal,
    "sign-varied": _sign_varied,
    "heavy-tailed": _heavy_tailed,
    "clustered": _clustered,
    "large": _large,
    "tiny": _tiny,
    "constant-rows": _constant_rows,
    "around-one": _around_one,
}
# Of floating-point tensors: in one of them all other numbers are others than the task's.
AS_GIVEN = ("as-given", "other-integers")
# Few values or one in a row: a product adds the same terms over and over.
OF_FEW_VALUES = ("clustered", "constant-rows")
# Every other tensor is far up, so that products of two are not: one would hide what the other does.
_EVERY_OTHER = {"far-up": 0, "far-up-others": 1}


class Draw:
    """Random numbers from one seed, in fp64."""

    def __init__(self, seed, device="cpu"):
        self._on = {"generator": torch.Generator(device).manual_seed(seed), "device": device}

    def normal(self, shape):
        return torch.randn(shape, dtype=torch.float64, **self._on)

    def uniform(self, shape):
        return torch.rand(shape, dtype=torch.float64, **self._on)

    def below(self, bound, shape):
        return torch.randint(bound, shape, **self._on)

    def signs(self, shape):
        return self.below(2, shape).double() * 2 - 1


def redrawn(value, name, draw, promises=()):
    """`value` with its floating-point tensors drawn from the distribution, as they promise to be, and other numbers in place of Python's
    floats; all else is as get_inputs() made it."""
    if name in AS_GIVEN:
        return value
    met = itertools.count()
    promised = itertools.chain(promises, itertools.repeat(NO_PROMISE))

    def drawn(x):
        if isinstance(x, float):
            return x * (0.5 + float(draw.uniform(())))
        if not isinstance(x, torch.Tensor) or not x.is_floating_point() or x.numel() == 0:
            return x
        distribution = DISTRIBUTIONS.get(name)
        if distribution is None:
            distribution = _far_up if next(met) % 2 == _EVERY_OTHER[name] else _normal
        return with_layout_of(x, next(promised).kept_in(distribution(x, draw).to(x.dtype), draw))

    result = tree_map(drawn, value)
    if next(met) <= _EVERY_OTHER.get(name, -1):
        raise NotApplicable("there are not enough inputs for it")
    return result


def randomise_state(model, draw):
    """New values for every parameter and buffer, of the size that the module's own initialisation has. Those parameters that are
    scales, of which some elements became negative."""
    with torch.no_grad():
        floats = [tensor for tensor in model.parameters() if tensor.is_floating_point() and tensor.numel()]
        scales = [tensor for tensor in floats if _redraw(tensor, draw)]
        for tensor in scales:
            tensor.mul_((draw.below(4, tensor.shape) > 0).to(tensor.dtype) * 2 - 1)
        for tensor in model.buffers():
            # A buffer with several values is a table or a mask that the module made with a purpose.
            if tensor.is_floating_point() and tensor.numel() and bool((tensor == tensor.flatten()[0]).all()):
                _redraw(tensor, draw)
    return scales


def _redraw(tensor, draw):
    """Whether it is a scale or a variance, which stays positive."""
    values = tensor.double()
    centre = float(values.mean())
    spread = float(values.std()) if tensor.numel() > 1 else 0.0
    scale = spread < 1e-6 and centre > 0
    if scale:
        tensor.copy_(centre * (0.5 + 1.5 * draw.uniform(tensor.shape)))
    else:
        tensor.copy_(centre + max(spread, 0.25 if spread < 1e-6 else 0.0) * draw.normal(tensor.shape))
    return scale
