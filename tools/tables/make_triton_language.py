"""Writes src/analysis/data/triton_language.txt from the installed Triton; --check compares instead.

The newest supported release must have every name of the older ones: --check under those says so.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import types
from typing import TypeVar

import triton
import triton.language as tl

import table_file

PATH = table_file.DATA / "triton_language.txt"
OLDER_RELEASES = ("3.6.0",)
HEADER = """
Every name that Triton offers to kernels and their hosts, and what it does with data in a kernel.
Generated from triton {version} by tools/tables/make_triton_language.py: change that, not this.
Triton 3.6.0 has no name that is not here.

Row: class path
  load, store, atomic  touch memory
  pointer   makes or moves a pointer, block pointer or descriptor
  index     depends on the program or lane, not on memory
  constant  depends on no argument's values
  copy      rearranges, broadcasts or converts its argument
  compute   anything else that makes values from values
  meta      types, hints, compile-time and host functions; a hint returns its argument
A path below triton.language.tensor, .tensor_descriptor, .dtype or .constexpr is an attribute of such a value.
"""

CLASSES = {
    "load": "load load_tensor_descriptor",
    "store": "store store_tensor_descriptor scatter",
    "pointer": "make_block_ptr advance make_tensor_descriptor TensorDescriptor from_tensor",
    "index": "program_id num_programs arange swizzle2d num_threads num_warps smid",
    "constant": "zeros zeros_like",
    "copy": """broadcast broadcast_to cast cat expand_dims flip full interleave item join permute ravel reshape split
        squeeze to to_tensor T trans unsqueeze view __getitem__""",
    "meta": """assume builtin cdiv condition constexpr_function debug_barrier device_assert device_print dispatch extern
        gdc_launch_dependents gdc_wait get_int_dtype get_primitive_bitwidth is_builtin max_constancy max_contiguous
        multiple_of must_use_result static_assert static_print str_to_ty validate_block_shape check_bit_width
        binary_op_type_legalization is_negative_zero builtin_max builtin_min jit _log2 _is_power_of_two _get_flip_dim
        _get_int_dtype _pick_sum_dtype
        dtype handle numel shape strides type block_shape block_type value""",
}
CLASS_OF = {name: cls for cls, names in CLASSES.items() for name in names.split()}
BY_PATTERN = (("atomic", r"atomic_\w+"), ("pointer", r"_experimental_\w+"), ("copy", r"[a-z]+_as_[a-z]+"))
# A path that its last name alone would misplace.
EXACT = {"triton.language.tensor_descriptor.gather": "load", "triton.language.tensor.cdiv": "compute"}
NAMES_NO_VALUES = ("triton.language.target_info", "triton.language.dtype", "triton.language.constexpr")

MODULES = """triton triton.testing triton.runtime triton.tools.tensor_descriptor triton.language triton.language.math
    triton.language.core triton.language.standard triton.language.random triton.language.target_info
    triton.language.extra triton.language.extra.libdevice triton.language.extra.cuda
    triton.language.extra.cuda.libdevice triton.language.extra.hip triton.language.extra.hip.libdevice""".split()
OPERATOR = re.compile(r"__r?(add|sub|mul|truediv|floordiv|mod|lshift|rshift|and|or|xor|eq|ne|lt|le|gt|ge|neg|invert)__")


def class_of(prefix: str, name: str, member: object) -> str:
    path = f"{prefix}.{name}"
    if path in EXACT:
        return EXACT[path]
    if name in CLASS_OF:
        return CLASS_OF[name]
    for cls, pattern in BY_PATTERN:
        if re.fullmatch(pattern, name):
            return cls
    in_kernels = prefix.startswith("triton.language") and not prefix.startswith(NAMES_NO_VALUES)
    is_function = callable(member) and not isinstance(member, (type, tl.dtype, tl.constexpr))
    return "compute" if in_kernels and is_function else "meta"


def module_names(module: types.ModuleType) -> set[str]:
    """What a module holds of Triton's own, and the modules below it, imported or not."""

    def is_tritons(member: object) -> bool:
        home = getattr(member, "__module__", None) or type(member).__module__
        return home.startswith("triton") and not isinstance(member, (types.ModuleType, TypeVar))

    hidden = "__" if module is tl.standard else "_"  # published kernels import _log2 and its like
    own = {name for name, member in vars(module).items() if not name.startswith(hidden) and is_tritons(member)}
    below = {info.name for info in pkgutil.iter_modules(getattr(module, "__path__", []))}
    return own | {name for name in below if not name.startswith("_")}


def sections() -> dict[str, list[tuple[str, str]]]:
    result: dict[str, list[tuple[str, str]]] = {}

    def add(prefix: str, names: set[str], members: object) -> None:
        result[prefix] = [(class_of(prefix, n, getattr(members, n, None)), f"{prefix}.{n}") for n in names]

    for prefix in MODULES:
        module = importlib.import_module(prefix)
        add(prefix, module_names(module), module)
    result["triton"].append(("meta", "triton.__version__"))
    result["triton.language"].append(("meta", "triton.language.TRITON_MAX_TENSOR_NUMEL"))

    operators = {n for n in dir(tl.tensor) if OPERATOR.fullmatch(n)} | {"__getitem__"}
    fields = {"dtype", "handle", "numel", "shape", "type"}  # set by __init__, so the class does not show them
    add("triton.language.tensor", public(tl.tensor) | operators | fields, tl.tensor)
    descriptor_fields = {"handle", "shape", "strides", "type"}
    add("triton.language.tensor_descriptor", public(tl.tensor_descriptor) | descriptor_fields, tl.tensor_descriptor)
    types_ = (tl.float32, tl.int32, tl.pointer_type(tl.float32), tl.block_type(tl.float32, [16]))
    add("triton.language.dtype", set().union(*(public(t) for t in types_)), tl.dtype)
    add("triton.language.constexpr", public(tl.constexpr) | {"type", "value"}, tl.constexpr)
    return result


def public(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


if __name__ == "__main__":
    raise SystemExit(
        table_file.main(PATH, HEADER, triton.__version__, sections, name_column=1, must_cover=OLDER_RELEASES)
    )
