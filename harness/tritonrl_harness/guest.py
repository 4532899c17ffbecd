"""The process of one candidate: imports it, builds its module, calls it on memory that the other side fills."""

import io
import linecache
import sys
import types

import torch

from . import patched_init
from .serving import SOURCE, serve
from .values import MOST_TENSORS, Unspeakable, allocate, describe, pack, unpack


# Of torch's record functions, by which operators are traced.
_SWITCHES = ("_enable_record_function", "_clear_callbacks", "_set_empty_test_observer")


def main(descriptors):
    for owner in (torch.autograd, torch._C._autograd):
        for name in vars(owner).keys() & set(_SWITCHES):
            delattr(owner, name)
    serve(descriptors, Candidate)


class Candidate:
    def __init__(self, state):
        self._begin, self._end = state.executor.begin_call, state.executor.end_call
        self._entry = None
        self._model = None
        self._tensors = {}
        self._kept = []  # outputs of earlier calls, so that their memory stays theirs
        self._type = torch.Tensor

    def do_begin(self):
        return {}

    def do_import(self, code, entry):
        # Triton and tracebacks find its lines here: a guest may have no folder to write a file to.
        lines = io.StringIO(code.removeprefix("\ufeff"), newline=None).readlines()
        linecache.cache[SOURCE] = len(code), None, lines, SOURCE
        module = types.ModuleType("kernel")
        module.__file__ = SOURCE
        sys.modules["kernel"] = module
        exec(compile(code.encode(), SOURCE, "exec"), module.__dict__)  # bytes: a byte order mark is no code
        self._entry = getattr(module, entry)
        return {}

    def do_allocate(self, tensors):
        """Tensors of the device, by number; their bytes come from the other side."""
        places = []
        for form in tensors:
            tensor = allocate(form)
            self._tensors[form["number"]] = tensor
            places.append(tensor.data_ptr())
        return {"addresses": places}

    def do_construct(self, init, seed):
        """The module on the device, and every parameter and buffer that it has."""
        self._model = None
        torch.manual_seed(seed)
        with patched_init.random_constants():
            model = self._entry(*unpack(init, self._tensors))
        if isinstance(model, torch.nn.Module):
            model = model.cuda()
        self._model = model
        return {"state": state_of(model)}

    def do_call(self, inputs, keep):
        arguments = unpack(inputs, self._tensors)
        with torch.no_grad():
            self._begin()
            result = self._model(*arguments)
            self._end()
        tensors = []
        structure = pack(result, tensors, sort_keys=True)
        if keep:
            self._kept.append(result)
        else:
            self._last = result  # alive until its bytes were read
        described = []
        for tensor in tensors:
            place = describe(tensor) if tensor.is_cuda else {**describe(tensor), "address": 0}
            described.append({**place, "device": str(tensor.device), "exact": type(tensor) is self._type})
        return {"structure": structure, "tensors": described, "inputs": self._addresses()}

    def _addresses(self):
        """Where the inputs lie now: `x.data = y` would move one."""
        return [[number, tensor.data_ptr()] for number, tensor in self._tensors.items()]

    def do_forget(self, numbers):
        for number in numbers:
            self._tensors.pop(number, None)
        self._kept.clear()
        self._last = None
        return {}


def state_of(model):
    """Parameters and buffers in the order in which the module made them."""
    if not isinstance(model, torch.nn.Module):
        return []
    state = []
    for kind, named in (("parameter", model.named_parameters()), ("buffer", model.named_buffers())):
        for name, tensor in named:
            if len(state) >= MOST_TENSORS:
                raise Unspeakable(f"the module has more than {MOST_TENSORS} parameters and buffers")
            if tensor.is_cuda:
                state.append({"name": name, "kind": kind, **describe(tensor.detach())})
    return state
