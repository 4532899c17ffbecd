"""A launch's Python arguments as the executor's array: planned once for each kernel, filled at each launch."""

import functools
import operator
import re

from torch import Tensor

from .libraries import DESCRIPTOR, FLOAT, INTEGER, MAX_RANK, POINTER_KIND, Argument

_FLOATS = {"fp16", "bf16", "fp32", "f32", "fp64"}
_INTEGER = re.compile(r"[iu]\d+$")
_DESCRIPTOR = re.compile(r"tensordesc<([^[>]*)\[([^]]*)\]")


def element_span(tensor):
    """Bytes from a tensor's first element to behind its last; strides in torch are never negative."""
    if tensor.is_contiguous():
        return tensor.numel() * tensor.element_size()
    if tensor.numel() == 0:
        return 0
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))
    return (last + 1) * tensor.element_size()


class Plan:
    """How to fill the array for one kernel: a step for each parameter that is no constexpr."""

    def __init__(self, signature, names, owns, descriptors_are_pointers):
        self._owns = owns
        self._descriptors_are_pointers = descriptors_are_pointers
        self._steps = []
        self._kinds = []
        self._names = []
        for position, (type_name, name) in enumerate(zip(signature, names)):
            self._add(type_name, operator.itemgetter(position), name)
        self.count = len(self._kinds)
        self._array_type = Argument * max(self.count, 1)
        self._free = []

    def _add(self, type_name, get, name):
        if isinstance(type_name, (tuple, list)):
            for n, inner in enumerate(type_name):
                self._add(inner, functools.partial(_item, get, n), f"{name}[{n}]")
        elif type_name == "constexpr":
            return
        elif type_name[0] == "*":
            self._step(get, self._pointer, POINTER_KIND, name)
        elif type_name in _FLOATS:
            self._step(get, _float, FLOAT, name)
        elif _INTEGER.match(type_name):
            self._step(get, _integer, INTEGER, name)
        elif match := _DESCRIPTOR.match(type_name):
            self._descriptor_steps(get, match.group(2).count(",") + 1, name)
        else:
            raise NotImplementedError(f"parameter {name} has the type {type_name}, which no launch is known for")

    def _step(self, get, fill, kind, name):
        self._steps.append((get, fill, len(self._kinds)))
        self._kinds.append(kind)
        self._names.append(name.encode())

    def _descriptor_steps(self, get, rank, name):
        """As Triton's frontend lays a descriptor out: itself, then its shape as i32 and its strides as i64. For devices
        without a unit for descriptors its pointer, shape, strides and flags come instead of itself."""
        part = lambda attribute, n: lambda args: getattr(get(args), attribute)[n]
        if self._descriptors_are_pointers:
            self._step(lambda args: get(args).base, self._pointer, POINTER_KIND, name)
            for attribute in ("shape", "strides"):
                for n in range(rank):
                    self._step(part(attribute, n), _integer, INTEGER, f"{name}.{attribute}[{n}]")
            self._step(lambda args: get(args).padding == "nan", _integer, INTEGER, f"{name}.padding")
            if self._descriptors_are_pointers == "with-rounding":
                self._step(lambda args: get(args).round_f32_to_tf32, _integer, INTEGER, f"{name}.round_f32_to_tf32")
        else:
            self._step(get, self._descriptor, DESCRIPTOR, name)
        for attribute in ("shape", "strides"):
            for n in range(rank):
                self._step(part(attribute, n), _integer, INTEGER, f"{name}.{attribute}[{n}]")

    def take(self):
        """An array for one launch. Threads may launch the same kernel at once, so each takes one and gives it back."""
        if self._free:
            return self._free.pop()
        array = self._array_type()
        for slot, kind, name in zip(array, self._kinds, self._names):
            slot.kind = kind
            slot.name = name
        # Indexing a ctypes array makes a new object each time: the slots are kept beside it.
        return array, list(array)

    def give_back(self, taken):
        self._free.append(taken)

    def fill(self, taken, args):
        slots = taken[1]
        for get, fill, n in self._steps:
            fill(slots[n], get(args))

    def _pointer(self, slot, value):
        if isinstance(value, Tensor):
            address = value.data_ptr()
            slot.integer = address
            slot.extent_begin = address
            slot.extent_end = address + element_span(value)
            if not value.is_cuda and address and not self._owns(address):
                _refuse()
            return
        slot.extent_begin = slot.extent_end = 0
        if value is None:
            slot.integer = 0
        elif isinstance(value, int):
            slot.integer = value
        elif not hasattr(value, "data_ptr"):
            raise TypeError("Pointer argument must be either uint64 or have data_ptr method")
        else:
            self._pointer_of_object(slot, value)

    def _pointer_of_object(self, slot, value):
        """triton.reinterpret's wrapper, and whatever else has data_ptr()."""
        address = value.data_ptr()
        if not isinstance(address, int):
            raise TypeError("data_ptr method of Pointer object must return 64-bit int")
        slot.integer = address
        if address and not self._owns(address):
            _refuse()
        base = getattr(value, "base", None)
        if isinstance(base, Tensor) and base.data_ptr() == address:
            slot.extent_begin = address
            slot.extent_end = address + element_span(base)

    def _descriptor(self, slot, value):
        self._pointer(slot, value.base)
        rank = len(value.shape)
        if rank > MAX_RANK:
            raise ValueError(f"a tensor descriptor has {rank} dimensions; {MAX_RANK} are the most")
        slot.rank = rank
        slot.shape[:rank] = list(value.shape)
        slot.strides[:rank] = list(value.strides)
        slot.nan_padding = getattr(value, "padding", "zero") == "nan"


def _item(get, n, args):
    return get(args)[n]


def _integer(slot, value):
    slot.integer = int(value)


def _float(slot, value):
    slot.real = value


def _refuse():
    # The words of Triton's own launcher.
    raise ValueError("Pointer argument cannot be accessed from Triton (cpu tensor?)")
