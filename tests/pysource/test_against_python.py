"""Our trees against those of Python's own parser, node for node.

What the analysis sees must be what Python runs; every difference is a place to hide code in.
"""

import os
import random
import subprocess
import sysconfig
from pathlib import Path

import pytest
from python_outline import outline_of_lines, outline_of_python
from random_python import Writer

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("TRITONRL_BUILD_DIR", ROOT / "build")) / "bin/pysource_outline"
PARSERS = {"quick": [], "grammar": ["--grammar"]}
OUR_LIMITS = ("nested", "too many elif", "bytes; 1 MiB", "only UTF-8 is read", "not valid UTF-8")


def outlines_of_ours(paths, options):
    """By path: None where the source is refused, else its outline; and the reasons of refusals."""
    found, errors = {}, {}
    for start in range(0, len(paths), 200):
        command = [TOOL, *options, *paths[start : start + 200]]
        result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        for block in result.stdout.split("file /")[1:]:
            name, *lines = block.splitlines()
            path = Path("/" + name)
            refused = lines[0].startswith("error")
            found[path] = None if refused else outline_of_lines(lines)
            if refused:
                errors[path] = lines[0]
    return found, errors


def differences(paths, may_refuse=False, options=(), compiled=True):
    """What the two parsers disagree on, as sentences; sources that only Python refuses are none."""
    ours, errors = outlines_of_ours(paths, options)
    problems = []
    for path in paths:
        expected = outline_of_python(path.read_bytes(), compiled)
        if expected is None:
            continue
        if ours[path] is None:
            if not may_refuse and not any(limit in errors[path] for limit in OUR_LIMITS):
                problems.append(f"{path}: Python takes it, we do not: {errors[path]}")
            continue
        line = 1
        for mine, theirs in zip(ours[path] + [None], expected + [None], strict=False):
            line = theirs[1] or line if theirs else line
            if mine != theirs:
                problems.append(f"{path}:{line}: we see {mine}, Python {theirs}")
                break
    return problems


@pytest.fixture(autouse=True)
def _tool():
    if not TOOL.exists():
        pytest.skip("pysource_outline is not built")


def write(folder, sources):
    paths = []
    for number, source in enumerate(sources):
        path = folder / f"{number}.py"
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        paths.append(path)
    return paths


def test_agrees_on_every_case():
    cases = ROOT / "tests/cases"
    problems = differences([path for path in sorted(cases.glob("*/*.py")) if path.parent.name != "hostile"])
    problems += differences(sorted(cases.glob("hostile/*.py")), may_refuse=True)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("parser", PARSERS)
def test_agrees_on_the_standard_library(parser):
    library = Path(sysconfig.get_path("stdlib"))
    paths = [path for path in sorted(library.rglob("*.py")) if 0 < path.stat().st_size < 200_000]
    paths = [path for path in paths if "site-packages" not in path.parts and "lib2to3" not in path.parts]
    paths = [path for path in paths if path.name != "test_print.py"]  # it tests Python 2's print >>f, which is refused
    if os.environ.get("SOAK") is None:
        paths = random.Random(1).sample(paths, min(250, len(paths)))
    problems = differences(paths, may_refuse=parser == "grammar", options=PARSERS[parser])
    assert not problems, "\n".join(problems)


BODY = "def f(x):\n    if False:\n        a\n"
# Nobody honest writes these: they may be refused, but not misread.
STRANGE = {
    "indentation wraps at 256 columns": "def f():\n if False:\n" + " " * 257 + "a\n b\n",
    "indentation of 256 columns": "if False:\n" + " " * 256 + "a\nb\n",
    "backslash in the indentation": BODY + "    \\\n    b\n",
    "backslash in the indentation of a blank line": BODY + "\\\n    b\n",
    "backslashes in the indentation": BODY + "    \\\n\\\n    b\n",
    "backslash after a block": BODY + "    b\\\n\n    c\n",
    "form feed in the indentation": BODY + "        \f    b\n",
    "form feed after the indentation": BODY + "    \fb\n",
    "form feed alone": BODY + "\f\n    b\n",
    "vertical tab": BODY + "    b\v\n",
    "tab after spaces": "if x:\n    \ta\n    \tb\nc\n",
    "tab as eight columns": "if x:\n        if y:\n\t\ta\n        b\n",
    "tabs and spaces": "if x:\n\tif y:\n\t    a\n\tb\n",
    "carriage return ends a comment": "# a\rb()\n",
    "carriage return in the indentation": BODY + "    \r    b\n",
    "carriage return as a line end": "if x:\r    a\r    b\rc\r",
    "carriage return in a string": "x = '''a\rb'''\ny\n",
    "carriage return after a backslash": "x = 1 + \\\r2\ny\n",
    "line ends of every kind": "if x:\r\n    a\n    b\rc\n",
    "exec as a name": "exec\nprint >> d\n",
}

# tree-sitter's grammar reads these otherwise than Python: it may refuse them.
HARD_FOR_THE_GRAMMAR = {
    "type as a function that is assigned to": "type(a).b = c\ntype(d)[e] = f(g)\ntype (h).i = j\ntype(k)\n[l] = 3\n",
    "tuple before a line that begins with a target": "a,\ny = b\nc, d\n[e] = f\nx = g, [h]\n[i] = j\n",
    "tuple before a line that begins with a bracket": "a, b\n(c)\nx = d, e\n[f]\nx = *g,\n(h).i\nfor j in k, l: m, n\n[o].p\n",
    "subscripts in annotations": "a: A[b][c] = d\ne: f.g[h].i[j]\nk: L[m](n)\ndef o(p: Q[r][s]) -> t: u[v]\n",
    "operators in annotations": "a: A[b] | c if d else e\nf: G[h] or i\nj: K[l] + m\n",
    "brackets left of their block": "def f():\n    x = (a +\n  b)\n    return [\nc]\n",
    "comment left of its block after a decorator": "class A:\n    @b\n  # c\n    def f(self): pass\n",
    "format that begins with an equals sign": "f'{a:=5}{b:={c}}'\n",
    "with over a tuple": "with (a, *b): c\nwith (d, e := f): g\n",
}

ORDINARY = {
    "bitwise operators": "a | b ^ c & d\na & b ^ c | d\na ^ b & c ^ d & e\na & (b ^ c) & d\n",
    "await before a power": "async def f():\n    await a ** b\n    -await a ** -b ** c\n    await a.b(c)[d] ** e\n",
    "stars before more than a name": "x = *a.b, c\n*a.b, *c[d] = e\n[*a.b], {*c(d)}, (*e[f], g)\nprint(*a.b or c, *d if e else f)\nx = *a | b ^ c, d\n",
    "walrus over a condition": "(y := a if b else c)\nf(y := a if b else c)\n[y := lambda: a]\nwhile y := a if b else c: d\n",
    "as after a condition": "with a if b else c as d, e or f as g, lambda: h as i: j\ntry: k\nexcept l if m else n as o: p\n",
    "except with a star": "try:\n    a\nexcept *B: c\n",
    "brackets around one target": "(a) = b\n((a, b)) = c\n(a).b, (c) = d\nfor (a) in b: c\n(a) += b\n",
    "brackets around one item": "with (a,): b\nwith ((a,)): b\nwith (a): b\nwith (a,) as b: c\nwith (): d\n",
    "tuple of one call": "f(),\ng(),\n",
    "star in a subscript": "a[*b]\na[*b, c]\na[:, *b]\n",
    "blanks in dotted names": "import a . b, c. d as e\nfrom . f import g\nfrom h \\\n .i import j\n",
    "blanks after stars of parameters": "def f(* a, ** b): pass\ndef g(*\\\na): pass\n",
    "yield in the bases of a class": "def f():\n    class A((yield)): pass\n",
    "comment that is indented less": BODY + "# c\n        b\n",
    "comment that is indented more": BODY + "            # c\n    b\n",
    "comment before else": "if x:\n    a\n# c\nelse:\n    b\n",
    "comment ends in a backslash": "# a \\\nb\n",
    "backslash in a string": "x = 'a\\\nb'\nc\n",
    "backslash and quote in a raw string": "x = r'\\''\ny\n",
    "string that ends in backslashes": "x = '\\\\'\ny\n",
    "no line end at the end": "if x:\n    a",
    "blanks at the end": "if x:\n    a\n    ",
    "comment at the end": "if x:\n    a\n  # b",
    "two statements on a line": "a; b; c;\nif x: d; e\nf\n",
    "semicolon before a block": "a; import b\n",
    "brackets over lines": "x = [\n1,\n  2,\n]\nif x:\n    y = (\na)\n    z\n",
    "brackets that dedent": "def f():\n    return g(\n1,\n)\nx\n",
    "triple quotes that dedent": "def f():\n    '''\na\n'''\n    b\nc\n",
    "quotes in formatted strings": "x = f'{a[\"b\"]}' + f\"{c['d']}\"\ny\n",
    "formatted string over lines": "def f():\n    x = f'''\n{a\n}\n'''\n    b\nc\n",
    "formatted string with a specification": "x = f'{a:{b()}}' f'{c!r:>{d.e}}'\n",
    "formatted string with a lambda": "x = f'{(lambda y: y)(a)}'\n",
    "formatted string with braces": "x = f'{{a}}{b}{{{c}}}'\n",
    "formatted string with equals": "x = f'{a=}{b = !r}'\n",
    "formatted string that is nested": "x = f'{f\"{a}\"}{b}'\n",
    "formatted raw string": "x = rf'\\{a}\\{b}'\n",
    "formatted string with a comment sign": "x = f'#{a}'\ny\n",
    "strings of many prefixes": "x = u'a' r'b' R'c' f'{d}' F'{e}' fr'{g}' Rf'{h}'\ny = b'a' Br'b' rB'c'\n",
    "else of a nested if": "if a:\n    if b:\n        c\nelse:\n    d\n",
    "if in an else": "if a:\n    b\nelse:\n    if c:\n        d\n",
    "else of loops": "for a in b:\n    c\nelse:\n    d\nwhile e:\n    f\nelse:\n    g\nh\n",
    "try of every part": "try:\n    a\nexcept B as c:\n    d\nexcept (E, F):\n    g\nelse:\n    h\nfinally:\n    i\n",
    "try of groups": "try:\n    a\nexcept* B as c:\n    d\n",
    "with of many items": "with a() as b, c as (d, e), f: g\nwith (a as b, c): d\nwith (a, b): c\nwith (yield_ := a): b\n",
    "with over a call": "with (a)(b) as c: d\nwith (a).b: c\nwith (a, b) as c: d\n",
    "decorators": "@a\n@b.c\n@d(e, f=g)\n@(lambda h: h)\n@i[j]\ndef k(): pass\n@l\nclass m: pass\n",
    "parameters": "def f(a, b: c = d, /, e=g, *h: i, j, k: l = m, **n: o) -> p: pass\n",
    "lambda": "f = lambda a, b=c, *d, e, g=h, **i: (j, k)\ng = lambda: (yield)\nh = lambda *, a: a\n",
    "calls": "f(*a, b, c=d, **e)\nf(a for a in b)\nf(a := b)\nf(*a, *b, **c, **d)\nclass C(*a, b=c, **d): pass\n",
    "subscripts": "a[b:c, ::d, ..., None]\na[b,]\na[*b]\na[b := c]\na[()]\na[lambda: b]\n",
    "comparisons": "a < b <= c != d is not e not in f is g in h\n",
    "conditions": "a if b else c if d else e\nnot a and b or c and not d\n",
    "assignments": "a = b = c, d = e\na.b = c[d] = e\n(a, [b, *c]) = d\na: b\na.b: c = d\n(a): b = c\na += b; c @= d; e //= f\n",
    "stars": "a, *b = c\n*a, = b\n[*a, *b], {*c}, {**d}\nfor a, *b in c: d\nprint(*a, sep=b)\n",
    "comprehensions": "[a for b in c if d if e for f in g]\n{a: b for c, d in e}\n{a for b in c}\n(a for b in c)\n",
    "async": "async def f():\n    async for a in b: await c\n    async with d as e: pass\n    return [g async for g in h]\n",
    "yield": "def f():\n    a = yield\n    b = yield c\n    yield from d\n    yield e, g\n    h(( yield ))\n",
    "match": "match a, b:\n    case [c, *d] if e: f\n    case {'g': h, **i}: j\n    case K(l, m=n) | O(): p\n    case q.r: s\n    case _: t\n",
    "soft keywords": "match = case = type = _ = 1\nmatch(a)\nmatch[b]\nmatch.c\nmatch * d\nmatch, e\nprint(type(f))\ntype(g)\ncase(h)\n",
    "match as a name in a block": "if match:\n    match(x)\n    case = [match]\nmatch x:\n    case 1: pass\n",
    "print and exec": "print\nprint(a)\nprint (b)\nexec(c)\nprint.e\nprint = f\n",
    "imports": "import a.b, c as d\nfrom .e import f as g, h\nfrom . import (i,\n  j as k,)\nfrom l import *\nfrom ...m import n\n",
    "future": "from __future__ import annotations, division\nx\n",
    "delete, assert, raise": "del a, b[c], d.e\ndel (g, h)\nassert i, j\nraise k from l\nraise\n",
    "global and nonlocal": "def f():\n    global a, b\n    def g():\n        nonlocal_ = c\n",
    "numbers": "a = 0x1F + 0o17 + 0b1 + 1_000 + 1e3 + 1.5j + .5 + 1. + 0xE\n",
    "keywords next to numbers": "a = 1if b else 2\nc = 0or d\n",
    "operators without blanks": "a=-b**-c@~d//+e\nf=a<b>c\n",
    "star expressions": "def f():\n    return *a, b\nx = *a, *b\nfor i in *a, b: c\n",
    "walrus": "if (a := b) and (c := d(a)): e\n[f := g, h]\nwhile i := j(): k\nprint((l := m))\n",
    "annotations with calls": "def f(a: b[c()], *d: e.f[g(h)]) -> i[j(), k]: pass\nx: l[m()] = n\nclass C:\n    y: o[p.q()]\n",
    "annotations with expressions": "def f(a: b | c(), d: lambda: e, g: (h := i)) -> [j, k()]: pass\nx: 'y' + z() = 1\n",
    "annotations": "def f(a: 'b' = c) -> d[e]: g: h = i\nx: a.b[c] = d\n",
    "class body": "class A(b, c=d):\n    '''doc'''\n    e: f = g\n    def h(self): return i\n    class J: k\n",
    "unicode names": "größe = α + 变量\nx.é(ñ=1)\n",
    "no-break space in a string": "x = '\u00a0'\ny\n",
    "unicode line separators in strings": "x = '\u2028 \u2029 \x85'\ny\n",
    "unicode line separators in comments": "# \u2028 x\ny  # \x85 z\nw\n",
    "elif chain": "if a: b\n" + "".join(f"elif c{i}: d{i}\n" for i in range(100)) + "else: e\n",
    "blocks": "".join(" " * i + f"if a{i}:\n" for i in range(90)) + " " * 90 + "b\nc\n",
    "empty": "",
    "byte order mark": b"\xef\xbb\xbfx = y\n",
    "null-like names": "__debug_ = None_ = True_ = nonlocal_ = 1\n",
}


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("name", ORDINARY)
def test_agrees_on(tmp_path, name, parser):
    problems = differences(write(tmp_path, [ORDINARY[name]]), options=PARSERS[parser])
    assert not problems, "\n".join(problems) + f"\n{ORDINARY[name]!r}"


@pytest.mark.parametrize("name", HARD_FOR_THE_GRAMMAR)
def test_agrees_or_refuses_by_the_grammar(tmp_path, name):
    paths = write(tmp_path, [HARD_FOR_THE_GRAMMAR[name]])
    problems = differences(paths) + differences(paths, may_refuse=True, options=PARSERS["grammar"])
    assert not problems, "\n".join(problems) + f"\n{HARD_FOR_THE_GRAMMAR[name]!r}"


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("name", STRANGE)
def test_does_not_misread(tmp_path, name, parser):
    problems = differences(write(tmp_path, [STRANGE[name]]), may_refuse=True, options=PARSERS[parser])
    assert not problems, "\n".join(problems) + f"\n{STRANGE[name]!r}"


def mutated(source: bytes, draw: random.Random) -> bytes:
    """Changes of layout, the kind that parsers disagree about."""
    lines = source.splitlines(keepends=True)
    pieces = [b"\\\n", b"\f", b"\t", b"\r", b" ", b"    ", b"#", b"\n", b"\n\n", b"    \\\n", b"'", b'"', b'"""', b"(", b")", b";", b":", b"else:\n", b"\\"]
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(lines))
        line = lines[at]
        match draw.randrange(6):
            case 0:
                lines[at] = draw.choice(pieces) + line
            case 1:
                lines[at] = line.rstrip(b"\n") + draw.choice(pieces) + b"\n"
            case 2:
                indent = len(line) - len(line.lstrip(b" "))
                lines[at] = b" " * max(0, indent + draw.choice([-8, -4, -1, 1, 4, 8, 252, 256, 260])) + line.lstrip(b" ")
            case 3:
                cut = draw.randrange(len(line) + 1)
                lines[at] = line[:cut] + draw.choice(pieces) + line[cut:]
            case 4:
                lines[at] = line.replace(b"    ", b"\t") if draw.random() < 0.5 else line.replace(b"\n", b"\r")
            case 5:
                lines.insert(at, draw.choice(pieces) + b"\n")
    return b"".join(lines)


def test_does_not_misread_mutated_layouts(tmp_path):
    draw = random.Random(7)
    sources = [path.read_bytes() for path in sorted((ROOT / "tests/cases/honest").glob("*.py"))]
    count = 4000 if os.environ.get("SOAK") else 600
    paths = write(tmp_path, [mutated(draw.choice(sources), draw) for _ in range(count)])
    problems = differences(paths, may_refuse=True)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("parser", PARSERS)
def test_agrees_on_random_sources(tmp_path, parser):
    draw = random.Random(11)
    count = 3000 if os.environ.get("SOAK") else 300
    paths = write(tmp_path, [Writer(draw).module(8) for _ in range(count)])
    problems = differences(paths, options=PARSERS[parser], may_refuse=parser == "grammar", compiled=False)
    assert not problems, "\n".join(problems)
