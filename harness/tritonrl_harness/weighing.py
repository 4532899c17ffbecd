"""What a call of a reference would cost, from the shapes that it computes with."""

import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry


_aten = torch.ops.aten

# The place of the operand whose last dimension is summed over. Attention is made of these, where nothing is computed.
_PRODUCTS = {_aten.mm: 0, _aten.bmm: 0, _aten.addmm: 1, _aten.baddbmm: 1}


class Weight(TorchDispatchMode):
    """Adds up operations of products, and bytes that operators read and write; and the narrowest matrix that is multiplied by another,
    or results from that."""

    def __init__(self):
        super().__init__()
        self.flops = 0
        self.bytes = 0
        self.narrowest = math.inf

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if not func.is_view:
            self.bytes += sum(x.numel() * x.element_size() for x in tree_leaves((args, kwargs, result)) if isinstance(x, torch.Tensor))
        formula = flop_registry.get(func._overloadpacket)
        if formula is not None:
            self.flops += formula(*args, **kwargs, out_val=result)
        if func._overloadpacket in _PRODUCTS:
            columns = (args[_PRODUCTS[func._overloadpacket]].shape[-1], result.shape[-1])
            self.narrowest = min(self.narrowest, *columns)
        return result


def weigh(module):
    """Of one call of the module's Model on its inputs; nothing is allocated or computed."""
    with torch.device("meta"), torch.no_grad():
        model = module["Model"](*module["get_init_inputs"]())
        inputs = module["get_inputs"]()
        with Weight() as weight:
            model(*inputs)
    return {"flops": float(weight.flops), "bytes": float(weight.bytes), "narrowest": weight.narrowest if weight.narrowest < math.inf else None}
