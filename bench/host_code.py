"""Finds the host code of a real Triton file and edits its text, leaving all else as it was."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
# Methods pass their receiver or context first: the tensors come after.
RECEIVERS = {"self", "cls", "ctx"}


@dataclass(frozen=True)
class Host:
    """A function that runs on the host, best of those that launch kernels."""

    name: str
    node: FunctionNode
    parameter: str
    position: int  # of `parameter` among the arguments
    work: ast.stmt | None  # the statement that launches or calls a kernel
    in_class: bool


class HostCode:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.tree = ast.parse(text)
        self.kernels = {
            n.name for n in ast.walk(self.tree) if isinstance(n, FunctionNode) and is_kernel(n)
        }

    @cached_property
    def hosts(self) -> list[Host]:
        """Launchers if there are any, else functions that call a kernel, else any function."""
        found = [
            host for node, in_class in self._functions() if (host := self._host(node, in_class))
        ]
        launchers = [host for host in found if host.work and _launches(host.work, self.kernels)]
        return launchers or [host for host in found if host.work] or found

    def imports_end(self) -> int:
        """The line after the file's leading imports (a count of lines to keep above)."""
        end = 0
        for node in self.tree.body:
            if isinstance(node, FunctionNode | ast.ClassDef):
                break
            if isinstance(node, ast.Import | ast.ImportFrom) or end == 0 and _is_docstring(node):
                end = node.end_lineno or end
        return end

    def imports(self, module: str) -> bool:
        return any(
            isinstance(node, ast.Import)
            and any(a.name == module and not a.asname for a in node.names)
            for node in self.tree.body
        )

    def _functions(self) -> Iterator[tuple[FunctionNode, bool]]:
        for node in self.tree.body:
            if isinstance(node, FunctionNode):
                yield node, False
            elif isinstance(node, ast.ClassDef):
                yield from ((n, True) for n in node.body if isinstance(n, FunctionNode))

    def _host(self, node: FunctionNode, in_class: bool) -> Host | None:
        names = [a.arg for a in node.args.posonlyargs + node.args.args]
        usable = [i for i, name in enumerate(names) if not (in_class and name in RECEIVERS)]
        one_line = self._indent(node.body[0]) is None
        if is_kernel(node) or not usable or one_line or node.name.startswith("__"):
            return None
        work = next((s for s in _simple_statements(node) if self._does_work(s)), None)
        return Host(node.name, node, names[usable[0]], usable[0], work, in_class)

    def _does_work(self, statement: ast.stmt) -> bool:
        if self._indent(statement) is None:
            return False
        return _launches(statement, self.kernels) or any(
            isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in self.kernels
            for n in ast.walk(statement)
        )

    def _indent(self, statement: ast.stmt) -> str | None:
        """The white space before a statement, or None where it shares its lines with others."""
        first = self.lines[statement.lineno - 1]
        last = self.lines[(statement.end_lineno or statement.lineno) - 1]
        before = first.encode()[: statement.col_offset].decode()
        after = last.encode()[statement.end_col_offset or 0 :].decode().strip()
        return before if not before.strip() and (not after or after.startswith("#")) else None

    # Edits: each returns the new text.

    def at_module(self, blocks: list[str]) -> str:
        """Below the file's own imports; nothing for empty blocks."""
        end = self.imports_end()
        above = "\n".join(self.lines[:end])
        added = "\n\n".join(block for block in blocks if block)
        return "\n".join(filter(None, [above, added, "\n".join(self.lines[end:])]))

    def at_body(self, host: Host, code: str) -> str:
        body = host.node.body
        first = body[1] if _is_docstring(body[0]) and len(body) > 1 else body[0]
        return self._before(first, code)

    def at_work(self, host: Host, code: str) -> str:
        return self._before(host.work or host.node.body[-1], code)

    def around_work(self, host: Host, handler: str) -> str:
        """Puts the kernel work into a `try`; `handler` is the except clause."""
        work = host.work
        assert work is not None
        indent = self._indent(work)
        assert indent is not None and work.end_lineno is not None
        inside = ["    " + line if line.strip() else line for line in self._range(work)]
        block = [indent + "try:", *inside, *_indented(handler, indent)]
        return "\n".join([*self.lines[: work.lineno - 1], *block, *self.lines[work.end_lineno :]])

    def decorated(self, host: Host, decorator: str) -> str:
        line = host.node.lineno - 1
        indent = self.lines[line][: host.node.col_offset]
        return "\n".join([*self.lines[:line], f"{indent}@{decorator}", *self.lines[line:]])

    def wrapped(self, host: Host, inner: str, body: str) -> str:
        """Takes the function's public name over, at the end of the file."""
        code = f"{inner} = {host.name}\n\n\ndef {host.name}(*args, **kwargs):\n"
        code += textwrap.indent(body, "    ")
        return self.text.rstrip("\n") + "\n\n\n" + code + "\n"

    def _before(self, statement: ast.stmt, code: str) -> str:
        line = min(
            [statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))]
        )
        indent = self.lines[line - 1][: statement.col_offset]
        return "\n".join(
            [*self.lines[: line - 1], *_indented(code, indent), *self.lines[line - 1 :]]
        )

    def _range(self, statement: ast.stmt) -> list[str]:
        return self.lines[statement.lineno - 1 : statement.end_lineno]


def is_kernel(node: FunctionNode) -> bool:
    return any("jit" in ast.unparse(decorator) for decorator in node.decorator_list)


def _launches(statement: ast.stmt, kernels: set[str]) -> bool:
    """kernel[grid](...) in a simple statement."""
    return any(
        isinstance(n, ast.Call)
        and isinstance(n.func, ast.Subscript)
        and isinstance(n.func.value, ast.Name)
        and n.func.value.id in kernels
        for n in ast.walk(statement)
    )


def _simple_statements(node: FunctionNode) -> Iterator[ast.stmt]:
    """The function's statements that hold no others; not those of functions inside it."""
    pending: list[ast.stmt] = list(reversed(node.body))
    while pending:
        statement = pending.pop()
        if isinstance(statement, FunctionNode | ast.ClassDef):
            continue
        inner = [s for s in ast.iter_child_nodes(statement) if isinstance(s, ast.stmt)]
        handlers = [s for h in getattr(statement, "handlers", []) for s in h.body]
        if inner or handlers:
            pending += reversed(inner + handlers)
        else:
            yield statement


def _indented(code: str, indent: str) -> list[str]:
    return textwrap.indent(code, indent).split("\n")


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
