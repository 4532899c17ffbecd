"""Python's own tree of a source, in the shape of src/pysource/syntax_tree.h: (depth, line, kind, op, text) of each node.

Only statements have a line. Left out on both sides: the patterns of match, and the text between an f-string's fields.
"""

import ast
import re
import unicodedata
import warnings
from urllib.parse import unquote_to_bytes

OPS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "MatMult": "@", "BitAnd": "&",
    "BitOr": "|", "BitXor": "^", "LShift": "<<", "RShift": ">>", "Invert": "~", "Not": "not", "USub": "-", "UAdd": "+",
    "And": "and", "Or": "or", "Lt": "<", "LtE": "<=", "Eq": "==", "NotEq": "!=", "Gt": ">", "GtE": ">=", "In": "in",
    "NotIn": "not in", "Is": "is", "IsNot": "is not",
}  # fmt: skip
STATEMENTS = {
    "FunctionDef", "ClassDef", "Return", "Assign", "AugAssign", "For", "While", "If", "With", "Try", "Handler", "Match", "Raise",
    "Assert", "Delete", "Global", "Nonlocal", "Import", "ImportFrom", "Pass", "TypeAlias",
}  # fmt: skip


def plain(text):
    """The text of a string as both sides have it: line ends are the editor's choice, and we have no names of characters."""

    def named(match):
        try:
            return unicodedata.lookup(match[1])
        except KeyError:
            return match[0]

    return re.sub(r"\\N\{([A-Z -]+)\}", named, text).replace("\r\n", "\n")


def op_of(node):
    return OPS[type(node.op).__name__]


def is_plain_field(field):
    return field.conversion == -1 and field.format_spec is None


def constant_text(node):
    """What part of an f-string is a text that needs no computing; or None."""
    if isinstance(node, ast.JoinedStr):
        texts = [constant_text(part) for part in node.values]
        return None if None in texts else "".join(texts)
    if isinstance(node, ast.FormattedValue):
        return constant_text(node.value) if is_plain_field(node) else None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


class Outline:
    def __init__(self):
        self.nodes = []
        self.depth = 0

    def add(self, kind, *kids, op="", text="", line=None):
        """A kid is a node of Python's, a function that adds one, or None where a slot is empty."""
        self.nodes.append((self.depth, line, kind, op, text))
        self.depth += 1
        for kid in kids:
            self.show(kid)
        self.depth -= 1

    def show(self, node):
        if node is None:
            self.add("Absent")
        elif callable(node):
            node()
        else:
            getattr(self, type(node).__name__)(node)

    def later(self, kind, *kids, **rest):
        return lambda: self.add(kind, *kids, **rest)

    def several(self, kind, nodes):
        return self.later(kind, *nodes)

    def block_or_none(self, statements):
        return self.several("Block", statements) if statements else None

    # Statements

    def Module(self, node):
        self.add("Module", *node.body)

    def Expr(self, node):
        self.show(node.value)

    def parameters(self, args):
        plain = args.posonlyargs + args.args
        defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults

        def param(arg, default, op):
            return self.later("Param", default, arg.annotation, op=op, text=arg.arg)

        params = [param(arg, default, "") for arg, default in zip(plain, defaults, strict=True)]
        params += [param(args.vararg, None, "*args")] if args.vararg else []
        params += [param(arg, default, "keyword-only") for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
        params += [param(args.kwarg, None, "**kwargs")] if args.kwarg else []
        return self.several("List", params)

    def FunctionDef(self, node):
        decorators = self.several("List", node.decorator_list)
        parts = (decorators, self.parameters(node.args), self.several("Block", node.body), node.returns)
        self.add("FunctionDef", *parts, text=node.name, line=node.lineno)

    AsyncFunctionDef = FunctionDef

    def arguments(self, positional, keywords):
        return self.several("List", sorted(positional + keywords, key=lambda each: (each.lineno, each.col_offset)))

    def ClassDef(self, node):
        decorators = self.several("List", node.decorator_list)
        parts = (decorators, self.arguments(node.bases, node.keywords), self.several("Block", node.body))
        self.add("ClassDef", *parts, text=node.name, line=node.lineno)

    def keyword(self, node):
        if node.arg is None:
            self.add("DoubleStarred", node.value)
        else:
            self.add("Keyword", node.value, text=node.arg)

    def Return(self, node):
        self.add("Return", *([node.value] if node.value else []), line=node.lineno)

    def Assign(self, node):
        value = node.value
        for target in reversed(node.targets[1:]):
            value = self.later("Assign", target, value, None, line=target.lineno)
        self.add("Assign", node.targets[0], value, None, line=node.lineno)

    def AnnAssign(self, node):
        self.add("Assign", node.target, node.value, node.annotation, line=node.lineno)

    def AugAssign(self, node):
        self.add("AugAssign", node.target, node.value, op=op_of(node), line=node.lineno)

    def For(self, node):
        parts = (node.target, node.iter, self.several("Block", node.body), self.block_or_none(node.orelse))
        self.add("For", *parts, line=node.lineno)

    AsyncFor = For

    def While(self, node):
        parts = (node.test, self.several("Block", node.body), self.block_or_none(node.orelse))
        self.add("While", *parts, line=node.lineno)

    def If(self, node):
        # An elif stands in the column of its if.
        elif_ = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and node.orelse[0].col_offset == node.col_offset
        otherwise = node.orelse[0] if elif_ else self.block_or_none(node.orelse)
        self.add("If", node.test, self.several("Block", node.body), otherwise, line=node.lineno)

    def With(self, node):
        self.add("With", self.several("List", node.items), self.several("Block", node.body), line=node.lineno)

    AsyncWith = With

    def withitem(self, node):
        self.add("WithItem", node.context_expr, node.optional_vars)

    def Try(self, node):
        handlers = self.several("List", node.handlers)
        parts = (self.several("Block", node.body), handlers, self.block_or_none(node.orelse), self.block_or_none(node.finalbody))
        self.add("Try", *parts, line=node.lineno)

    TryStar = Try

    def ExceptHandler(self, node):
        self.add("Handler", node.type, self.several("Block", node.body), text=node.name or "", line=node.lineno)

    def Match(self, node):
        self.add("Match", node.subject, self.several("List", node.cases), line=node.lineno)

    def match_case(self, node):
        guard = self.later("CompIf", node.guard) if node.guard else None
        self.add("Case", guard, self.several("Block", node.body))

    def Raise(self, node):
        self.add("Raise", node.exc, node.cause, line=node.lineno)

    def Assert(self, node):
        self.add("Assert", node.test, *([node.msg] if node.msg else []), line=node.lineno)

    def Delete(self, node):
        one_tuple = len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple)
        self.add("Delete", *(node.targets[0].elts if one_tuple else node.targets), line=node.lineno)

    def Global(self, node):
        self.add(type(node).__name__, *[self.later("Name", text=name) for name in node.names], line=node.lineno)

    Nonlocal = Global

    def alias(self, node):
        self.add("Alias", self.later("Name", text=node.asname) if node.asname else None, text=node.name)

    def Import(self, node):
        self.add("Import", *node.names, line=node.lineno)

    def ImportFrom(self, node):
        aliases = [] if node.names[0].name == "*" else node.names
        self.add("ImportFrom", *aliases, text="." * node.level + (node.module or ""), line=node.lineno)

    def Pass(self, node):
        self.add("Pass", line=node.lineno)

    Break = Continue = Pass

    # Expressions

    def Name(self, node):
        self.add("Name", text=node.id)

    def Attribute(self, node):
        self.add("Attribute", node.value, text=node.attr)

    def Call(self, node):
        self.add("Call", node.func, self.arguments(node.args, node.keywords))

    def Starred(self, node):
        self.add("Starred", node.value)

    def Subscript(self, node):
        self.add("Subscript", node.value, node.slice)

    def Slice(self, node):
        self.add("Slice", node.lower, node.upper, node.step)

    def BinOp(self, node):
        self.add("Binary", node.left, node.right, op=op_of(node))

    def BoolOp(self, node):
        left = node.values[0]
        for right in node.values[1:]:
            left = self.later("Bool", left, right, op=op_of(node))
        self.show(left)

    def UnaryOp(self, node):
        self.add("Unary", node.operand, op=op_of(node))

    def Compare(self, node):
        self.add("Compare", node.left, *node.comparators, op=OPS[type(node.ops[0]).__name__])

    def IfExp(self, node):
        self.add("Conditional", node.body, node.test, node.orelse)

    def NamedExpr(self, node):
        self.add("Named", node.value, text=node.target.id)

    def Lambda(self, node):
        self.add("Lambda", self.parameters(node.args), node.body)

    def Tuple(self, node):
        self.add("Tuple", *node.elts)

    def List(self, node):
        self.add("ListDisplay", *node.elts)

    def Set(self, node):
        self.add("Set", *node.elts)

    def Dict(self, node):
        pairs = zip(node.keys, node.values, strict=True)
        self.add("Dict", *[self.later("Pair", k, v) if k else self.later("DoubleStarred", v) for k, v in pairs])

    def comprehension_of(self, element, generators):
        clauses = []
        for each in generators:
            clauses.append(self.later("CompFor", each.target, each.iter))
            clauses += [self.later("CompIf", condition) for condition in each.ifs]
        self.add("Comprehension", element, *clauses)

    def ListComp(self, node):
        self.comprehension_of(node.elt, node.generators)

    SetComp = GeneratorExp = ListComp

    def DictComp(self, node):
        self.comprehension_of(self.later("Pair", node.key, node.value), node.generators)

    def Await(self, node):
        self.add("Await", node.value)

    def Yield(self, node):
        self.add("Yield", *([node.value] if node.value else []))

    YieldFrom = Yield

    def Constant(self, node):
        value = node.value
        if isinstance(value, str):
            self.add("String", text=plain(value))
        elif isinstance(value, bytes):
            self.add("Bytes", text=value)
        elif value is None or value is True or value is False or value is ...:
            self.add("Ellipsis" if value is ... else repr(value))
        else:
            self.add("Number", text=repr(value))

    def JoinedStr(self, node):
        text = constant_text(node)
        if text is None:
            self.add("FString", *[part for part in node.values if constant_text(part) is None])
        else:
            self.add("String", text=plain(text))

    def FormattedValue(self, node):
        if is_plain_field(node):
            self.show(node.value)
        else:
            parts = node.format_spec.values if node.format_spec else []
            self.add("Opaque", node.value, *[part for part in parts if isinstance(part, ast.FormattedValue)])


def outline_of_python(source: bytes, compiled=True):
    """None where Python refuses the source: its parser, and its compiler too where asked."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
            if compiled:
                compile(source, "candidate", "exec", dont_inherit=True)
            outline = Outline()
            outline.show(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    return outline.nodes


def outline_of_lines(lines):
    """What pysource_outline printed for a file, in the terms of outline_of_python."""
    nodes = []
    path = []  # kinds from the root to the node before
    skipped = None  # the depth of a subtree that is left out
    for line in lines:
        depth, number, kind, op, text = line.split(" ")
        depth = int(depth)
        if skipped is not None and depth > skipped:
            continue
        skipped = None
        first = len(path) <= depth
        parent = path[depth - 1] if depth else None
        path[depth:] = [kind]
        if (parent == "Case" and first) or (parent == "FString" and kind == "String"):
            skipped = depth
            continue
        raw = unquote_to_bytes("" if text == "-" else text)
        if kind in ("Int", "Float"):
            kind, text = "Number", repr(ast.literal_eval(raw.decode()))
        elif kind == "Bytes":
            text = raw
        elif kind == "String":
            text = plain(raw.decode("utf-8", "surrogatepass"))
        else:
            text = unicodedata.normalize("NFKC", raw.decode())
        op = unquote_to_bytes("" if op == "-" else op).decode()
        nodes.append((depth, int(number) if kind in STATEMENTS else None, kind, op, text))
    return nodes
