"""Other whole numbers among a task's inputs: indices, lengths, masks, counts and flags. A candidate that heeds none of them may be right on
those that get_inputs() makes, which are often the same each time."""

import itertools

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from .values import with_layout_of


def others(inputs, again, draw):
    """Inputs like these, from the likeliest to be taken by the reference to the least: `again` is another draw of the task's own. Nothing
    where there are no whole numbers."""
    leaves, form = tree_flatten(inputs)
    more = tree_flatten(again)[0]
    numbers = {n: (_less(x), _more(x)) for n, x in enumerate(leaves) if _is_number(x)}
    tensors = {n: _tensors_like(x, more[n], draw) for n, x in enumerate(leaves) if _is_tensor(x)}
    for of_tensors, of_numbers in itertools.product(_ways(tensors), _ways(numbers)):
        if of_tensors or of_numbers:
            yield tree_unflatten([(of_tensors | of_numbers).get(n, x) for n, x in enumerate(leaves)], form)


def _ways(found):
    """By place, the first of what was found for each, then the second; in the end nothing for any."""
    return [*(dict(zip(found, values)) for values in zip(*found.values())), {}]


def _is_number(x):
    return isinstance(x, int) and x >= 0  # a negative one names a dimension, which kernels may be written for


def _is_tensor(x):
    return isinstance(x, torch.Tensor) and not x.is_floating_point() and not x.is_complex() and x.numel() > 0


def _less(x):
    return not x if isinstance(x, bool) else x - 1 if x > 1 else x + 1


def _more(x):
    return not x if isinstance(x, bool) else x + 1


def _tensors_like(x, other, draw):
    """Numbers that the task has; then offsets, or a mask that lets more through and one that lets less."""
    if x.dtype == torch.bool:
        found = (_drawn(x, other, draw), x | _drawn(x, other, draw), x & _drawn(x, other, draw))
    else:
        found = (_drawn(x, other, draw), *[_ascending(x, draw)] * 2)  # as many as of a mask
    return [with_layout_of(x, tensor) for tensor in found]


def _drawn(x, other, draw):
    """Values that the task has, somewhere else. What ascends in each draw, as numbers of segments do, goes on to."""
    values = torch.cat([x.flatten(), other.flatten()]) if x.shape == other.shape else x.flatten()
    if _is_constant(values):
        return _about(x, draw)
    if len(x.unique()) == x.numel():
        shuffled = x.flatten()[draw.uniform((x.numel(),)).argsort()].view(x.shape)
        return _ascending(x, draw) if _has_steps(x) and _has_steps(other) else shuffled
    found = values[draw.below(len(values), x.shape)]
    return found.sort(-1).values if _ascends(x) and _ascends(other) else found


def _ascending(x, draw):
    """Ascending numbers between the first and the last one, as offsets are."""
    low, high = int(x.min()), int(x.max())
    found = (low + draw.below(high - low + 1, x.shape)).sort(-1).values.to(x.dtype)
    if x.dim():
        found[..., 0] = x[..., 0]
        found[..., -1] = x[..., -1]
    return found


def _about(x, draw):
    """Numbers from half of the one that there is up to it; of zeros, ones too."""
    value = int(x.flatten()[0])
    if x.dtype == torch.bool or value in (0, 1):
        return draw.below(2, x.shape).to(x.dtype)
    low, high = sorted((value // 2, value))
    return (low + draw.below(high - low + 1, x.shape)).to(x.dtype)


def _is_constant(x):
    return bool((x == x.flatten()[0]).all())


def _ascends(x):
    return x.dtype != torch.bool and x.dim() > 0 and bool((x.diff(dim=-1) >= 0).all())


def _has_steps(x):
    """Ascends by other steps than one: where parts begin, not positions."""
    return _ascends(x) and x.shape[-1] > 2 and bool((x.diff(dim=-1) != 1).any())
