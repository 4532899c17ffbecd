"""Random Python in which every construct stands beside every other, with no more parentheses than it needs."""

import ast
import random

LOAD = ast.Load()
BINARY = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.BitAnd, ast.BitOr, ast.BitXor,
          ast.LShift, ast.RShift]  # fmt: skip
COMPARISONS = [ast.Lt, ast.LtE, ast.Eq, ast.NotEq, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot]


class Writer:
    def __init__(self, draw: random.Random):
        self.draw = draw

    def module(self, statements: int) -> str:
        body = [self.statement(3) for _ in range(statements)]
        function = ast.AsyncFunctionDef(name="f", args=self.parameters(1), body=body, decorator_list=[], lineno=1)
        return ast.unparse(ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))) + "\n"

    def one_of(self, *makers):
        return self.draw.choice(makers)()

    def several(self, maker, least=0, most=3):
        return [maker() for _ in range(self.draw.randint(least, most))]

    def maybe(self, maker):
        return maker() if self.draw.random() < 0.5 else None

    def name(self):
        return ast.Name(self.draw.choice(["a", "b", "c", "type", "match", "print", "case", "_"]), LOAD)

    def word(self):
        return self.draw.choice("xyz")

    # Statements

    def statement(self, depth):
        expression = lambda: self.expression(2)  # noqa: E731
        with_stars = lambda: self.one_of(expression, expression, self.starred_tuple)  # noqa: E731
        value = lambda: self.one_of(with_stars, with_stars, lambda: self.yielded(1))  # noqa: E731
        block = lambda: self.block(depth - 1)  # noqa: E731
        simple = [
            lambda: ast.Expr(value()),
            lambda: ast.Assign(self.several(self.target, 1, 2), value(), lineno=1),
            lambda: ast.AugAssign(self.single_target(), ast.Add(), value()),
            lambda: ast.AnnAssign(self.single_target(), self.annotation(), self.maybe(expression), simple=0),
            lambda: ast.Return(self.maybe(with_stars)),
            lambda: ast.Delete(self.several(self.single_target, 1, 2)),
            lambda: ast.Assert(expression(), self.maybe(expression)),
            lambda: ast.Raise(expression(), self.maybe(expression)),
        ]
        compound = [
            lambda: ast.If(expression(), block(), self.maybe(block) or []),
            lambda: ast.While(expression(), block(), self.maybe(block) or []),
            lambda: ast.For(self.target(), with_stars(), block(), [], lineno=1),
            lambda: ast.With(self.several(self.with_item, 1, 2), block(), lineno=1),
            lambda: ast.Try(block(), [ast.ExceptHandler(expression(), self.maybe(self.word), block())], [], []),
            lambda: ast.FunctionDef("g", self.parameters(2), block(), self.several(expression, 0, 1), self.maybe(self.annotation), lineno=1),
            lambda: ast.ClassDef("C", self.several(expression), self.keywords(1), [ast.Pass()], []),
        ]  # fmt: skip
        return self.one_of(*simple, *(compound if depth > 0 else []))

    def block(self, depth):
        return self.several(lambda: self.statement(depth), 1, 2)

    def with_item(self):
        return ast.withitem(self.expression(2), self.maybe(self.target))

    def single_target(self):
        part = lambda: self.expression(1)  # noqa: E731
        return self.one_of(
            lambda: ast.Name(self.word(), LOAD), lambda: ast.Attribute(part(), self.word(), LOAD), lambda: ast.Subscript(part(), self.index(1), LOAD)
        )  # fmt: skip

    def target(self):
        group = self.several(self.single_target, 1, 2) + self.several(lambda: ast.Starred(self.single_target(), LOAD), 0, 1)
        return self.one_of(self.single_target, lambda: ast.Tuple(group, LOAD), lambda: ast.List(group, LOAD))

    def starred_tuple(self):
        return ast.Tuple(self.elements(2) or [self.name()], LOAD)

    def annotation(self):
        generic = lambda: ast.Subscript(self.name(), self.index(1), LOAD)  # noqa: E731
        union = lambda: ast.BinOp(generic(), ast.BitOr(), self.expression(1))  # noqa: E731
        return self.one_of(generic, union, lambda: self.expression(2))

    def parameters(self, depth):
        names = iter("pqrstuvw")
        arg = lambda: ast.arg(next(names), self.maybe(self.annotation) if depth > 1 else None)  # noqa: E731
        default = lambda: self.expression(1)  # noqa: E731
        args = self.several(arg, 0, 2)
        only = self.several(arg, 0, 1)
        return ast.arguments(
            posonlyargs=[], args=args, vararg=self.maybe(arg), kwonlyargs=only, kw_defaults=[self.maybe(default) for _ in only],
            kwarg=self.maybe(arg), defaults=[default() for _ in args[1:]],
        )  # fmt: skip

    # Expressions

    def elements(self, depth):
        starred = lambda: ast.Starred(self.operand(depth - 1), LOAD)  # noqa: E731
        return self.several(lambda: self.one_of(lambda: self.expression(depth - 1), starred))

    # What may follow a star outside a call: no comparison, no condition.
    def operand(self, depth):
        part = lambda: self.expression(depth - 1)  # noqa: E731
        if depth <= 0:
            return self.name()
        return self.one_of(
            self.name, lambda: ast.Attribute(part(), self.word(), LOAD), lambda: ast.Subscript(part(), self.index(depth - 1), LOAD),
            lambda: ast.BinOp(part(), self.draw.choice(BINARY)(), part()), lambda: ast.Call(part(), [], []),
        )  # fmt: skip

    def index(self, depth):
        part = lambda: self.expression(depth - 1)  # noqa: E731
        slice_ = lambda: ast.Slice(self.maybe(part), self.maybe(part), self.maybe(part))  # noqa: E731
        return self.one_of(part, slice_, lambda: ast.Tuple([part(), slice_()], LOAD), lambda: ast.Tuple(self.elements(depth) or [part()], LOAD))

    def keywords(self, depth):
        return self.several(lambda: ast.keyword(self.maybe(lambda: "k" + str(self.draw.random())[2:]), self.expression(depth - 1)), 0, 2)

    def yielded(self, depth):
        return self.one_of(lambda: ast.Yield(self.maybe(lambda: self.expression(depth))), lambda: ast.Await(self.expression(depth)))

    def clauses(self, depth):
        part = lambda: self.expression(depth - 1)  # noqa: E731
        return [ast.comprehension(self.target(), part(), self.several(part, 0, 1), 0) for _ in range(self.draw.randint(1, 2))]

    def expression(self, depth):
        part = lambda: self.expression(depth - 1)  # noqa: E731
        if depth <= 0:
            return self.one_of(self.name, self.name, lambda: ast.Constant(self.draw.choice([0, 1.5, "s", b"b", None, True, ...])))
        return self.one_of(
            self.name,
            lambda: self.operand(depth),
            lambda: ast.BinOp(part(), self.draw.choice(BINARY)(), part()),
            lambda: ast.BoolOp(self.draw.choice([ast.And, ast.Or])(), [part(), part()]),
            lambda: ast.UnaryOp(self.draw.choice([ast.Not, ast.USub, ast.UAdd, ast.Invert])(), part()),
            lambda: ast.Compare(part(), [self.draw.choice(COMPARISONS)()], [part()]),
            lambda: ast.IfExp(part(), part(), part()),
            lambda: ast.NamedExpr(ast.Name(self.word(), LOAD), part()),
            lambda: ast.Lambda(self.parameters(1), part()),
            lambda: ast.Call(part(), self.several(lambda: self.one_of(part, lambda: ast.Starred(part(), LOAD))), self.keywords(depth)),
            lambda: ast.Tuple(self.elements(depth), LOAD),
            lambda: ast.List(self.elements(depth), LOAD),
            lambda: ast.Set(self.elements(depth) or [part()]),
            lambda: ast.Dict([self.maybe(part), part()], [part(), part()]),
            lambda: ast.ListComp(part(), self.clauses(depth)),
            lambda: ast.GeneratorExp(part(), self.clauses(depth)),
            lambda: ast.DictComp(part(), part(), self.clauses(depth)),
            lambda: self.yielded(depth - 1),
        )  # fmt: skip
