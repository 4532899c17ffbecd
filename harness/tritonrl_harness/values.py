"""Python values as JSON, the tensors among them by number: how inputs, arguments and outputs cross the socket."""

import torch
from torch.utils._pytree import tree_leaves

_DTYPES = {str(dtype).removeprefix("torch."): dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)}
MOST_TENSORS = 10_000
_MOST_DEPTH = 16
_PLAIN = (type(None), bool, int, str)


class Unspeakable(ValueError):
    """A value that has no form here."""


def dtype_named(name):
    return _DTYPES[name]


def describe(tensor):
    """Where a tensor of the device lies, and how."""
    return {
        "address": tensor.data_ptr(),
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "strides": list(tensor.stride()),
    }


def allocate(form):
    return torch.empty_strided(form["shape"], form["strides"], dtype=dtype_named(form["dtype"]), device="cuda")


def floats_of(value):
    """Its floating-point tensors that hold something, however deep."""
    return [x for x in tree_leaves(value) if isinstance(x, torch.Tensor) and x.is_floating_point() and x.numel()]


def memory_of(tensor):
    """All elements from its first to its last, those between its own too."""
    elements = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride())) if tensor.numel() else 0
    return tensor.as_strided((elements,), (1,))


def with_layout_of(like, tensor):
    """Its numbers in memory of their own that lies as `like` does. Where elements of `like` are one, one of them counts."""
    if like.is_contiguous():
        return tensor.contiguous()
    result = torch.zeros_like(memory_of(like)).as_strided(like.shape, like.stride())
    one = tuple(slice(0, 1) if stride == 0 else slice(None) for stride in like.stride())
    result[one].copy_(tensor[one])
    return result


def pack(value, tensors, depth=0, sort_keys=False):
    """`value` as JSON; its tensors are appended to `tensors`. `sort_keys`: dictionaries are equal in any order. What subclasses have in
    place of methods is not called: it could do the work that the call had to."""
    if isinstance(value, torch.Tensor):
        if len(tensors) >= MOST_TENSORS:
            raise Unspeakable(f"there are more than {MOST_TENSORS} tensors in it")
        tensors.append(value)
        return {"tensor": len(tensors) - 1}
    if isinstance(value, _PLAIN):
        return {"value": value}
    if isinstance(value, float):
        return {"float": float.hex(value)}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if depth < _MOST_DEPTH and isinstance(value, (list, tuple)):
        kind = list if isinstance(value, list) else tuple
        return {"list" if type(value) is list else "tuple": [pack(v, tensors, depth + 1, sort_keys) for v in kind.__iter__(value)]}
    if depth < _MOST_DEPTH and isinstance(value, dict) and all(isinstance(key, str) for key in dict.keys(value)):
        items = sorted(dict.items(value)) if sort_keys else dict.items(value)
        return {"dict": [[key, pack(item, tensors, depth + 1, sort_keys)] for key, item in items]}
    raise Unspeakable(f"a {type(value).__name__} cannot be handed over")


def unpack(form, tensors):
    """The value again; `tensors` maps numbers to tensors."""
    ((kind, content),) = form.items()
    if kind == "tensor":
        return tensors[content]
    if kind == "value":
        return content
    if kind == "float":
        return float.fromhex(content)
    if kind == "dtype":
        return dtype_named(content)
    if kind == "dict":
        return {key: unpack(item, tensors) for key, item in content}
    return (list if kind == "list" else tuple)(unpack(item, tensors) for item in content)
