"""Spells a dotted name in code, plainly or disguised, and keeps the imports that it needs."""

from __future__ import annotations

import random
from collections.abc import Callable

# Longest first: the part of a dotted name that is a module.
MODULES = sorted(
    """atexit builtins base64 ctypes ctypes.util functools gc importlib inspect itertools marshal
    mmap multiprocessing operator os pathlib pickle platform signal socket subprocess sys tempfile
    threading time traceback types urllib.request http.client weakref concurrent.futures torch
    torch.cuda torch.backends.cuda torch.backends.cudnn torch.jit torch.fx torch.library
    torch.nn.functional torch.overrides torch.testing torch.utils.cpp_extension
    torch.utils._python_dispatch torch._C torch._dynamo torch._inductor triton triton.testing
    triton.knobs triton.runtime""".split(),
    key=len,
    reverse=True,
)
# `from module import *` brings these names in.
STARRED = {"gc", "ctypes", "inspect", "subprocess", "threading", "time"}
WORDS = """prepare tune layout plan probe route stage tile shape guard policy warm align pack
select meta config state scratch lane bucket cursor marker table slot hint pool step""".split()


class Spelling:
    """`rng` decides the spelling; `disguised` whether it hides anything."""

    def __init__(self, rng: random.Random, *, disguised: bool) -> None:
        self.rng = rng
        self.disguised = disguised
        self.imports: list[str] = []
        self.setup: list[str] = []
        self._taken: set[str] = set()

    def fresh(self) -> str:
        """A name of the kind that people give helpers."""
        while True:
            name = f"_{self.rng.choice(WORDS)}_{self.rng.choice(WORDS)}"
            if name not in self._taken:
                self._taken.add(name)
                return name

    def text(self, word: str) -> str:
        """A string literal, or an expression that folds to it."""
        if not self.disguised:
            return f'"{word}"'
        cut = self.rng.randrange(1, len(word)) if len(word) > 1 else 1
        head, tail = word[:cut], word[cut:]
        constant = self.fresh()
        forms = [
            f'"{head}" + "{tail}"',
            f'"".join(["{head}", "{tail}"])',
            f"f\"{{'{head}'}}{tail}\"",
            f'"{word[::-1]}"[::-1]',
            f'"{head}%s" % "{tail}"',
            f'"{{}}{tail}".format("{head}")',
            constant,
        ]
        form = self.rng.choice(forms)
        if form == constant:
            self.setup.append(f'{constant} = "{head}" + "{tail}"')
        return form

    def member(self, value: str, name: str) -> str:
        """An attribute of a value that is no module."""
        return f"getattr({value}, {self.text(name)})" if self.disguised else f"{value}.{name}"

    def use(self, path: str) -> str:
        """An expression for a dotted name such as gc.get_objects."""
        module = next(m for m in MODULES if path == m or path.startswith(m + "."))
        names = path[len(module) + 1 :].split(".")
        if module == "builtins" and not self.disguised:
            return names[0]
        if not self.disguised:
            return self._plain(module, names)
        return self.rng.choice(self._disguises(module, names))(module, names)

    def assign(self, path: str, value: str) -> str:
        """A statement that puts `value` where the dotted name is."""
        owner_path, _, name = path.rpartition(".")
        owner = self._owner(owner_path)
        if not self.disguised:
            return f"{owner}.{name} = {value}"
        helper, loop = self.fresh(), self.fresh()
        form = self.rng.randrange(5)
        if form == 0:
            return f"setattr({owner}, {self.text(name)}, {value})"
        if form == 1:
            return f"{helper} = {owner}\n{helper}.{name} = {value}"
        if form == 2:
            return f"for {loop} in ({self.text(name)},):\n    setattr({owner}, {loop}, {value})"
        if form == 3:
            self.setup.append(
                f"def {helper}(owner, name, value):\n    setattr(owner, name, value)\n"
            )
            return f'{helper}({owner}, "{name}", {value})'
        return f"({owner}).__setattr__({self.text(name)}, {value})"

    def _owner(self, path: str) -> str:
        module = next(m for m in MODULES if path == m or path.startswith(m + "."))
        rest = path[len(module) :]
        if self.disguised and self.rng.random() < 0.5:
            alias = self.fresh()
            self.imports.append(f"import {module} as {alias}")
            return alias + rest
        self._import(module)
        return path

    def _import(self, module: str) -> None:
        line = f"import {module}"
        if line not in self.imports:
            self.imports.append(line)

    def _plain(self, module: str, names: list[str]) -> str:
        if len(names) == 1 and names[0] and "." in module and self.rng.random() < 0.5:
            self.imports.append(f"from {module} import {names[0]}")
            return names[0]
        self._import(module)
        return ".".join([module, *filter(None, names)])

    def _disguises(self, module: str, names: list[str]) -> list[Callable[[str, list[str]], str]]:
        """Every way that fits this name: a module alone, a member, a member of a member."""
        if names == [""]:
            return [self._alias, self._by_importlib, self._by_dunder_import]
        ways: list[Callable[[str, list[str]], str]]
        ways = [self._alias, self._by_getattr, self._stored, self._in_table, self._in_class]
        ways += [self._by_importlib, self._by_dunder_import, self._in_tuple]
        if len(names) == 1:
            ways += [self._from_import, self._by_attrgetter]
        if module in STARRED and not names[0].startswith("_"):
            ways.append(self._starred)
        return ways

    def _alias(self, module: str, names: list[str]) -> str:
        alias = self.fresh()
        self.imports.append(f"import {module} as {alias}")
        return ".".join([alias, *filter(None, names)])

    def _from_import(self, module: str, names: list[str]) -> str:
        alias = self.fresh()
        self.imports.append(f"from {module} import {names[0]} as {alias}")
        return alias

    def _starred(self, module: str, names: list[str]) -> str:
        self.imports.append(f"from {module} import *")
        return ".".join(names)

    def _by_getattr(self, module: str, names: list[str]) -> str:
        value = self._alias(module, []) if self.rng.random() < 0.3 else self._spelled(module)
        for name in names:
            value = f"getattr({value}, {self.text(name)})"
        return value

    def _by_attrgetter(self, module: str, names: list[str]) -> str:
        self._import("operator")
        return f"operator.attrgetter({self.text(names[0])})({self._spelled(module)})"

    def _by_importlib(self, module: str, names: list[str]) -> str:
        self._import("importlib")
        found = f"importlib.import_module({self.text(module)})"
        return ".".join([found, *filter(None, names)])

    def _by_dunder_import(self, module: str, names: list[str]) -> str:
        _, *rest = module.split(".")
        return ".".join([f"__import__({self.text(module)})", *rest, *filter(None, names)])

    def _stored(self, module: str, names: list[str]) -> str:
        name = self.fresh()
        self.setup.append(f"{name} = {self._spelled(module, names)}")
        return name

    def _in_table(self, module: str, names: list[str]) -> str:
        table, key = self.fresh(), self.rng.choice(WORDS)
        self.setup.append(f'{table} = {{"{key}": {self._spelled(module, names)}}}')
        return f'{table}["{key}"]'

    def _in_tuple(self, module: str, names: list[str]) -> str:
        pair = self.fresh()
        self.setup.append(f"{pair} = (None, {self._spelled(module, names)})")
        return f"{pair}[1]"

    def _in_class(self, module: str, names: list[str]) -> str:
        holder, slot = self.fresh().title().replace("_", ""), self.rng.choice(WORDS)
        self.setup.append(f"class {holder}:\n    {slot} = {self._spelled(module, names)}\n")
        return f"{holder}.{slot}"

    def _spelled(self, module: str, names: list[str] | None = None) -> str:
        if module == "builtins" and names:
            return ".".join(names)
        self._import(module)
        return ".".join([module, *(names or [])])
