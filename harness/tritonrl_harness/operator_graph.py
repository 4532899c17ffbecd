"""The operators that one call of a reference applies, and whose results each of them reads."""

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

_MOST_OPERATORS = 4000


class Recorder(TorchFunctionMode):
    """While it is entered: calls at the level that people write, so that a linear layer is one operator.

    An operator reads results of others by their number, and the n-th input of the call as -n, from 1. Parameters and
    constants are not told.
    """

    def __init__(self, inputs):
        super().__init__()
        self.operators = []
        self._alive = [x for x in tree_leaves(inputs) if isinstance(x, torch.Tensor)]  # so that ids stay theirs
        self._made_by = {id(tensor): -n for n, tensor in enumerate(self._alive, 1)}

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        made = [x for x in tree_leaves(result) if isinstance(x, torch.Tensor)]
        if made and len(self.operators) < _MOST_OPERATORS:
            reads = [self._made_by[id(x)] for x in tree_leaves((args, kwargs)) if id(x) in self._made_by]
            self.operators.append({"name": _name(function), "reads": reads, "rank": made[0].dim()})
            for tensor in made:
                self._made_by[id(tensor)] = len(self.operators) - 1
            self._alive += made
        return result


def _name(function):
    if function.__name__ == "__get__":  # of a property: x.T
        return function.__self__.__name__
    return function.__name__
