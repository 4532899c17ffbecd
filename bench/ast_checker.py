#!/usr/bin/env python3
"""A checker on Python's own `ast`: the peer that `tritonrl check` is timed against.

The same syntax, launch and torch-compute rules, written as one would in Python: names resolved
through aliases, calls followed from ModelNew.forward through methods, helpers, submodules and
autograd functions, and light inference of what is a tensor. Prints `accept` or `reject RULE` and
the path for each file.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field
from typing import Any

ALLOCATE = """empty empty_like empty_strided zeros zeros_like ones ones_like full full_like tensor
as_tensor arange eye new_empty new_zeros new_ones new_full"""
VIEW = """view view_as reshape transpose permute squeeze unsqueeze flatten unflatten expand
expand_as narrow select movedim swapaxes swapdims t mT unbind split chunk tensor_split
as_strided detach diagonal view_as_real view_as_complex broadcast_to unfold data
requires_grad_ atleast_2d"""
COPY = """to type clone contiguous cat concat stack hstack vstack repeat repeat_interleave float
half bfloat16 double int long bool cuda cpu pad tile roll flip gather index_select copy_"""
METADATA = """is_tensor is_floating_point is_complex numel nelement size dim ndimension stride
storage_offset element_size data_ptr is_contiguous get_device result_type promote_types can_cast
broadcast_shapes finfo iinfo Size device dtype no_grad enable_grad inference_mode is_grad_enabled
is_available current_device get_device_properties get_device_capability get_device_name
set_device device_count synchronize item tolist save_for_backward mark_non_differentiable
type_as is_same_size has_names dim_order record_stream current_stream untyped_storage"""
TENSOR_MAKERS = frozenset(f"{ALLOCATE} {VIEW} {COPY}".split())
FREE = frozenset(f"{ALLOCATE} {VIEW} {COPY} {METADATA}".split())
# Attributes and calls of a tensor that are plain Python values.
SCALARS = frozenset(
    """shape ndim dtype device is_cuda requires_grad layout itemsize nbytes grad_fn size dim numel
    stride element_size data_ptr is_contiguous storage_offset item tolist get_device""".split()
)


@dataclass(frozen=True)
class Path:
    """A name of torch, triton or another library."""

    name: str


@dataclass(frozen=True)
class Function:
    node: ast.FunctionDef | ast.Lambda
    receiver: Any = None


@dataclass(frozen=True)
class Class:
    node: ast.ClassDef


@dataclass(frozen=True)
class Instance:
    of: ast.ClassDef


@dataclass(frozen=True)
class Kernel:
    name: str


@dataclass(frozen=True)
class Launcher:
    kernel: Kernel


@dataclass(frozen=True)
class Table:
    """A dictionary, list or tuple of callables, by constant key or index."""

    entries: tuple[tuple[Any, Any], ...]


TENSOR = "tensor"
SCALAR = "scalar"
UNKNOWN = None


class Reject(Exception):
    """Carries the rule's id."""


@dataclass
class Module:
    """What the file defines, by name."""

    names: dict[str, Any] = field(default_factory=dict)
    kernels: set[str] = field(default_factory=set)

    @staticmethod
    def of(tree: ast.Module) -> Module:
        module = Module()
        for node in tree.body:
            module.add(node)
        return module

    def add(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self.names.update(imported(node))
        elif isinstance(node, ast.FunctionDef):
            is_kernel = any(self._is_jit(d) for d in node.decorator_list)
            if is_kernel:
                self.kernels.add(node.name)
            self.names[node.name] = Kernel(node.name) if is_kernel else Function(node)
        elif isinstance(node, ast.ClassDef):
            self.names[node.name] = Class(node)
        elif isinstance(node, ast.Assign):
            self._assign(node)
        elif isinstance(node, ast.If | ast.Try):
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, ast.stmt):
                    self.add(inner)

    def _assign(self, node: ast.Assign) -> None:
        value = self.resolve(node.value)
        if isinstance(node.value, ast.Call) and self._is_jit(node.value.func):
            value = Kernel(ast.unparse(node.targets[0]))
            self.kernels.add(value.name)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.names[target.id] = value

    def resolve(self, node: ast.expr) -> Any:
        """Names and dotted names; constants are plain values; the rest is unknown."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            return Path(f"{owner.name}.{node.attr}") if isinstance(owner, Path) else UNKNOWN
        if isinstance(node, ast.Lambda):
            return Function(node)
        if isinstance(node, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
            return Table(tuple(zip(keys, map(self.resolve, node.values), strict=True)))
        return SCALAR if isinstance(node, ast.Constant) else UNKNOWN

    def _is_jit(self, decorator: ast.expr) -> bool:
        """triton.jit, with or without arguments, or a function of the file that applies it."""
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        value = self.resolve(target)
        if isinstance(value, Path):
            return value.name in ("triton.jit", "triton.runtime.jit", "triton.runtime.jit.jit")
        if isinstance(value, Function) and isinstance(value.node, ast.FunctionDef):
            return any(
                self.resolve(n) == Path("triton.jit")
                for n in ast.walk(value.node)
                if isinstance(n, ast.Attribute | ast.Name)
            )
        return False


def imported(node: ast.Import | ast.ImportFrom) -> dict[str, Any]:
    if isinstance(node, ast.Import):
        return {
            a.asname
            or a.name.partition(".")[0]: Path(a.name if a.asname else a.name.partition(".")[0])
            for a in node.names
        }
    return {a.asname or a.name: Path(f"{node.module}.{a.name}") for a in node.names}


def folded(node: ast.expr) -> str | None:
    """A string constant or a sum of them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = folded(node.left), folded(node.right)
        return left + right if left is not None and right is not None else None
    return None


class Checker:
    """Follows ModelNew.forward; one pass over each function and kinds of arguments."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.launched = False
        self.seen: dict[Any, Any] = {}
        self.members: dict[ast.ClassDef, dict[str, ast.expr]] = {}

    def check(self) -> None:
        if not self.module.kernels:
            raise Reject("no-kernel")
        entry = self.module.names.get("ModelNew")
        forward = self.method(entry.node, "forward") if isinstance(entry, Class) else None
        if forward is None or not isinstance(entry, Class):
            raise Reject("entry-missing")
        self.call(Function(forward, Instance(entry.node)), None)
        if not self.launched:
            raise Reject("no-launch")

    def method(self, owner: ast.ClassDef, name: str) -> ast.FunctionDef | None:
        for node in owner.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
        for base in owner.bases:
            parent = self.module.resolve(base)
            if isinstance(parent, Class) and parent.node is not owner:
                return self.method(parent.node, name)
        return None

    def call(
        self, function: Function, arguments: list[Any] | None, outer: dict[str, Any] | None = None
    ) -> Any:
        key = (function, None if arguments is None else tuple(arguments))
        if key not in self.seen:
            self.seen[key] = UNKNOWN  # recursion ends here
            self.seen[key] = Body(self, function, arguments, outer or {}).result()
        return self.seen[key]

    def submodule(self, owner: ast.ClassDef, name: str) -> Any:
        """What __init__ puts into self.NAME."""
        if owner not in self.members:
            init = self.method(owner, "__init__")
            self.members[owner] = {
                target.attr: node.value
                for node in (ast.walk(init) if init else ())
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
            }
        value = self.members[owner].get(name)
        return self.made(value) if value else UNKNOWN

    def made(self, node: ast.expr) -> Any:
        if not isinstance(node, ast.Call):
            return self.module.resolve(node)
        maker = self.module.resolve(node.func)
        if isinstance(maker, Class):
            return Instance(maker.node)
        if isinstance(maker, Path) and maker.name.startswith("torch."):
            is_tensor = (
                maker.name.endswith("Parameter") or maker.name.split(".")[-1] in TENSOR_MAKERS
            )
            return TENSOR if is_tensor else Path(maker.name)
        return UNKNOWN


class Body:
    """Evaluates one function on kinds of values."""

    def __init__(
        self, checker: Checker, function: Function, arguments: Any, outer: dict[str, Any]
    ) -> None:
        self.checker = checker
        self.node = function.node
        self.names: dict[str, Any] = dict(outer)
        self.returned: Any = UNKNOWN
        parameters = self.node.args.posonlyargs + self.node.args.args
        if function.receiver is not None and parameters:
            self.names[parameters[0].arg] = function.receiver
            parameters = parameters[1:]
        for index, parameter in enumerate(parameters):
            self.names[parameter.arg] = self._parameter(parameter, index, arguments)

    @staticmethod
    def _parameter(parameter: ast.arg, index: int, arguments: list[Any] | None) -> Any:
        if arguments is not None:
            return arguments[index] if index < len(arguments) else UNKNOWN
        plain = isinstance(parameter.annotation, ast.Name) and parameter.annotation.id in (
            "int",
            "float",
            "bool",
            "str",
            "tuple",
            "list",
        )
        return SCALAR if plain else TENSOR

    def result(self) -> Any:
        if isinstance(self.node, ast.Lambda):
            return self.value(self.node.body)
        self.run(self.node.body)
        return self.returned

    def run(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self.bind(target, value)
        elif isinstance(node, ast.AugAssign):
            self.arithmetic(self.value(node.target), self.value(node.value))
        elif isinstance(node, ast.AnnAssign) and node.value:
            self.bind(node.target, self.value(node.value))
        elif isinstance(node, ast.Return) and node.value:
            self.returned = self.value(node.value) or self.returned
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.names.update(imported(node))
        elif isinstance(node, ast.FunctionDef):
            self.names[node.name] = Function(node)
        else:
            self.compound(node)

    def compound(self, node: ast.stmt) -> None:
        if isinstance(node, ast.For):
            self.bind(node.target, TENSOR if self.value(node.iter) == TENSOR else SCALAR)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            elif isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.withitem):
                self.value(child.context_expr)
            elif isinstance(child, ast.ExceptHandler):
                self.run(child.body)

    def bind(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for element in target.elts:
                self.bind(element, value if value in (TENSOR, SCALAR) else UNKNOWN)
        elif isinstance(target, ast.Subscript):
            self.value(target.value)

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
            return found if node.id in self.names else self.checker.module.names.get(node.id)
        if isinstance(node, ast.Constant):
            return SCALAR
        if isinstance(node, ast.Attribute):
            return self.attribute(self.value(node.value), node.attr)
        if isinstance(node, ast.Call):
            return self.called(node)
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        if isinstance(node, ast.BinOp):
            return self.arithmetic(self.value(node.left), self.value(node.right))
        if isinstance(node, ast.UnaryOp):
            return self.arithmetic(self.value(node.operand), SCALAR)
        if isinstance(node, ast.Compare):
            values = [self.value(n) for n in [node.left, *node.comparators]]
            identity = all(isinstance(o, ast.Is | ast.IsNot | ast.In | ast.NotIn) for o in node.ops)
            return SCALAR if identity else self.arithmetic(*values)
        if isinstance(node, ast.Lambda):
            return Function(node)
        if isinstance(node, ast.IfExp):
            self.value(node.test)
            return self.value(node.body) or self.value(node.orelse)
        return self.others(node)

    def others(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
            return Table(tuple(zip(keys, map(self.value, node.values), strict=True)))
        values = [self.value(n) for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
        if isinstance(node, ast.Tuple | ast.List) and values:
            return values[0] if values[0] in (TENSOR, SCALAR) else UNKNOWN
        return UNKNOWN

    def attribute(self, owner: Any, name: str) -> Any:
        if owner == TENSOR:
            return SCALAR if name in SCALARS else TENSOR
        if isinstance(owner, Path):
            return Path(f"{owner.name}.{name}")
        if isinstance(owner, Instance):
            method = self.checker.method(owner.of, name)
            return Function(method, owner) if method else self.checker.submodule(owner.of, name)
        if isinstance(owner, Class):
            method = self.checker.method(owner.node, "forward" if name == "apply" else name)
            return Function(method) if method else UNKNOWN
        return UNKNOWN

    def subscript(self, node: ast.Subscript) -> Any:
        owner, index = self.value(node.value), self.value(node.slice)
        if isinstance(owner, Kernel):
            if isinstance(index, Function):
                self.checker.call(index, [UNKNOWN], self.names)
            return Launcher(owner)
        if isinstance(owner, Table) and isinstance(node.slice, ast.Constant):
            return dict(owner.entries).get(node.slice.value)
        return owner if owner in (TENSOR, SCALAR) else UNKNOWN

    def arithmetic(self, *values: Any) -> Any:
        if TENSOR in values:
            raise Reject("torch-compute")
        return SCALAR if all(v == SCALAR for v in values) else UNKNOWN

    def called(self, node: ast.Call) -> Any:
        arguments = [self.value(a) for a in node.args]
        for keyword in node.keywords:
            self.value(keyword.value)
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value)
            if owner == TENSOR:
                return self.free(node.func.attr)
            if isinstance(owner, Kernel):
                self.checker.launched |= node.func.attr == "run"
                return UNKNOWN
            if isinstance(owner, Class) and node.func.attr == "apply":
                arguments.insert(0, UNKNOWN)  # ctx
        return self.apply(self.callee(node), arguments)

    def callee(self, node: ast.Call) -> Any:
        """The target of a call; getattr of a constant is a plain attribute."""
        inner = node.func
        if (
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Name)
            and inner.func.id == "getattr"
        ):
            name = folded(inner.args[1]) if len(inner.args) > 1 else None
            if name is not None:
                return self.attribute(self.value(inner.args[0]), name)
        return self.value(inner)

    def apply(self, target: Any, arguments: list[Any]) -> Any:
        if isinstance(target, Launcher):
            self.checker.launched = True
        elif isinstance(target, Path):
            if target.name == "functools.partial" and arguments:
                return arguments[0]
            return self.library(target.name)
        elif isinstance(target, Function):
            outer = self.names if isinstance(target.node, ast.Lambda) else None
            return self.checker.call(target, arguments, outer)
        elif isinstance(target, Class):
            return Instance(target.node)
        elif isinstance(target, Instance):
            forward = self.checker.method(target.of, "forward")
            return self.checker.call(Function(forward, target), arguments) if forward else UNKNOWN
        elif target == TENSOR:
            raise Reject("torch-compute")
        return UNKNOWN

    def library(self, path: str) -> Any:
        if not path.startswith("torch."):
            return SCALAR if path.startswith(("triton.", "math.")) else UNKNOWN
        return self.free(path.rpartition(".")[2])

    def free(self, name: str) -> Any:
        if name not in FREE:
            raise Reject("torch-compute")
        return TENSOR if name in TENSOR_MAKERS else SCALAR


def check(source: bytes) -> str:
    """The rule that rejects this source, or an empty string."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return "syntax-error"
    try:
        Checker(Module.of(tree)).check()
    except Reject as reject:
        return str(reject)
    return ""


def main(files: list[str]) -> int:
    rejected = False
    for name in files:
        with open(name, "rb") as file:
            rule = check(file.read())
        rejected |= bool(rule)
        sys.stdout.write(f"reject {rule}\t{name}\n" if rule else f"accept\t{name}\n")
    return int(rejected)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
