"""Other whole numbers among a task's inputs: indices, lengths, masks, counts and flags. A candidate that heeds none of them may be right on
those that get_inputs() makes, which are often the same each time."""

import itertools

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten


def others(inputs, again, draw):
    """Inputs like these, from the likeliest to be taken by the reference to the least: `again` is another draw of the task's own. Nothing
    where there are no whole numbers."""
    leaves, form = tree_flatten(inputs)
    numbers = [n for n, x in enumerate(leaves) if _is_number(x)]
    tensors = [n for n, x in enumerate(leaves) if _is_tensor(x)]
    more = tree_flatten(again)[0]

    def changed(number, tensor):
        result = list(leaves)
        for n in numbers if number else ():
            result[n] = number(leaves[n])
        for n in tensors if tensor else ():
            result[n] = tensor(leaves[n], more[n])
        return tree_unflatten(result, form)

    ways_of_numbers = [_less, _more, None] if numbers else [None]
    ways_of_tensors = [lambda x, y: _drawn(x, y, draw), lambda x, y: _ascending(x, y, draw), None] if tensors else [None]
    if any(x.dtype == torch.bool for x in (leaves[n] for n in tensors)):
        ways_of_tensors[1:1] = [lambda x, y: _fuller(x, y, draw), lambda x, y: _emptier(x, y, draw)]
    return [changed(number, tensor) for tensor, number in itertools.product(ways_of_tensors, ways_of_numbers) if number or tensor]


def _is_number(x):
    return isinstance(x, int) and x >= 0  # a negative one names a dimension, which kernels may be written for


def _is_tensor(x):
    return isinstance(x, torch.Tensor) and not x.is_floating_point() and not x.is_complex() and x.numel() > 0


def _less(x):
    return not x if isinstance(x, bool) else x - 1 if x > 1 else x + 1


def _more(x):
    return not x if isinstance(x, bool) else x + 1


def _drawn(x, other, draw):
    """Values that the task has, somewhere else. What ascends in each draw, as numbers of segments do, goes on to."""
    values = torch.cat([x.flatten(), other.flatten()]) if x.shape == other.shape else x.flatten()
    if _is_constant(values):
        return _about(x, draw)
    if len(x.unique()) == x.numel():
        shuffled = x.flatten()[draw.uniform((x.numel(),)).argsort()].view(x.shape)
        return _ascending(x, other, draw) if _has_steps(x) and _has_steps(other) else shuffled
    found = values[draw.below(len(values), x.shape)]
    return found.sort(-1).values if _ascends(x) and _ascends(other) else found


def _ascending(x, other, draw):
    """Ascending numbers between the first and the last one, as offsets are."""
    if x.dtype == torch.bool:
        return _drawn(x, other, draw)
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


def _fuller(x, other, draw):
    return x | _drawn(x, other, draw) if x.dtype == torch.bool else _drawn(x, other, draw)


def _emptier(x, other, draw):
    return x & _drawn(x, other, draw) if x.dtype == torch.bool else _drawn(x, other, draw)


def _is_constant(x):
    return bool((x == x.flatten()[0]).all())


def _ascends(x):
    return x.dim() > 0 and bool((x.diff(dim=-1) >= 0).all()) if x.dtype != torch.bool else False


def _has_steps(x):
    """Ascends by other steps than one: where parts begin, not positions."""
    return _ascends(x) and x.shape[-1] > 2 and bool((x.diff(dim=-1) != 1).any())
