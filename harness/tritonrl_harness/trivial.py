"""Results that took no work: a task that takes one of them for right is no task."""

import torch

NAMES = ("zeros", "constant", "identity", "stale", "row-means", "column-means", "low-precision")


def result(name, native, inputs, previous, low_precision):
    """What a trivial candidate returns in place of the tensors `native`; None where there is no such thing.

    `previous`: the reference's results of an earlier call. `low_precision`: runs the reference in 16 bits.
    """
    known = previous if previous is not None and [t.shape for t in previous] == [t.shape for t in native] else None
    if name == "zeros":
        return [torch.zeros_like(t) for t in native]
    if name == "constant":
        return known and [_constant(t) for t in known]
    if name == "identity":
        return _all([_matching(t, inputs) for t in native])
    if name == "stale":
        return known
    if name == "row-means":
        return _all([_means(t, inputs, -1) for t in native])
    if name == "column-means":
        return _all([_means(t, inputs, 0) for t in native])
    return low_precision()


def _all(results):
    return None if any(r is None for r in results) else results


def _constant(t):
    """What an earlier result was on average; of integers, the one that occurred most."""
    if t.numel() == 0:
        return t.clone()
    if t.is_floating_point():
        return torch.full_like(t, float(t.double().mean()))
    return torch.full_like(t, t.flatten().mode().values.item())


def _matching(t, inputs):
    same = [x for x in inputs if isinstance(x, torch.Tensor) and x.shape == t.shape]
    return same[0].to(t.dtype) if same else None


def _means(t, inputs, dim):
    """The mean of an input over its rows or columns, in the form of the result."""
    x = _matching(t, inputs)
    if x is None or t.dim() < 2 or not t.is_floating_point():
        return None
    return x.double().mean(dim, keepdim=True).expand(t.shape).to(t.dtype).contiguous()
