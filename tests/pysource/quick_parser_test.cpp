#include "pysource/quick_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/random.h"
#include "pysource/grammar_parser.h"
#include "pysource/source_limits.h"
#include "tests/pysource/same_tree.h"

// The quick parser against the grammar, node for node.
namespace tritonrl::pysource {
namespace {

// "gave up", "equal", "refused" by the grammar, or how the tree differs from the grammar's.
std::string quick_result(std::string_view source) {
  auto quick = quick_parse(source);
  if (!quick) return "gave up";
  const auto parsed = grammar_parse(source);
  if (std::holds_alternative<SourceError>(parsed)) return "refused";
  const std::string difference = tree_difference(*std::move(quick), parsed);
  return difference.empty() ? "equal" : difference;
}

void expect_equal(std::initializer_list<std::string_view> sources) {
  for (const std::string_view source : sources) {
    ASSERT_FALSE(find_limit_violation(source)) << source;
    EXPECT_EQ(quick_result(source), "equal") << source;
  }
}

void expect_give_up(std::initializer_list<std::string_view> sources) {
  for (const std::string_view source : sources) EXPECT_FALSE(quick_parse(source)) << source;
}

// Layout

TEST(QuickParser, ReadsEmptySources) { expect_equal({"", "\n", "  \n\n", "# a", "# a\n", "\n  # a\n# b\n\n", "\f\n"}); }

TEST(QuickParser, ReadsLineEnds) {
  expect_equal({"a", "a\n", "a\r\nb\r\n", "if a:\r\n    b\r\n    # c\r\nd\r\n", "a  \nb\t\n", "a;", "a; b;\nc\n",
                "a ; b", "\fa\n\fb\n", "\357\273\277a\n", "\n\na\n\n\n"});
}

TEST(QuickParser, ReadsIndentation) {
  expect_equal({"if a:\n b\n", "if a:\n\tb\n\tc\n", "if a:\n    if b:\n        c\n    d\ne\n",
                "if a:\n    b\n\n\n    c\n", "if a:\n  b\nelse:\n      c\n", "def f():\n    if a:\n        b\n\n\ng\n",
                "if a:\n    b"});
}

TEST(QuickParser, EndsBlocksAfterTheirComments) {
  expect_equal({"if a:\n    b  # c\n", "if a: b  # c\nd\n", "if a:\n    b\n    # c\n  # d\n# e\nf\n",
                "def f():\n    if a:\n        b\n        # c\n    # d\n# e\n", "if a:\n    b\n  # c\nelse:\n    d\n",
                "if a:  # b\n    # c\n    d\n", "if a:\n# b\n    c\n# d\n    e\n",
                "def f():\n    if a: b\n    # c\nd\n", "class A:\n    @b\n    # c\n    def f(self): pass\n",
                "a  # b\n# c"});
}

TEST(QuickParser, ReadsOnInBracketsAndAfterBackslashes) {
  expect_equal({"f(a,\n  b)\n", "f(  # a\n    b,  # c\n    # d\n)\n", "a = [\n\n1,\n\n2]\n",
                "a = \\\n    b + \\\n    c\n", "if a:\n    f(b,\n      c\n)\n", "a = (b +\n     c)\n",
                "if a and \\\n        b:\n    c\n", "f(a)(\n)\n"});
}

// Statements

TEST(QuickParser, ReadsSimpleStatements) {
  expect_equal({"pass", "assert a", "assert a, 'b'", "raise", "raise A", "raise A(b) from c", "del a",
                "del a, b.c, d[e]", "del (a, b)", "del (a), b", "del a,", "global a", "global a, b", "nonlocal a",
                "def f():\n    return\n", "def f():\n    return a, b\n", "def f(): return *a, b"});
}

TEST(QuickParser, ReadsImports) {
  expect_equal({"import a", "import a.b.c", "import a as b, c.d as e", "from a import b", "from a.b import c as d, e",
                "from a import (b, c as d,)", "from . import a", "from .. import a", "from ... import a",
                "from ....a.b import c", "from a import *", "from __future__ import annotations",
                "from a import (\n    b,\n    c)\n", "from a import print, type as match"});
}

TEST(QuickParser, ReadsAssignments) {
  expect_equal({"a = b", "a = b = c = d", "a, b = c, d", "a, = b", "a = b,", "a, *b = c", "*a, b = c",
                "(a, b), [c, d] = e", "[a, b] = c", "() = a", "a.b = c", "a[b].c[d:e] = f", "a = *b, c", "a = *b.c, d",
                "a = (yield_)", "def f():\n    a = yield\n", "def f():\n    a = b = yield c, d\n", "(a).b = c"});
}

TEST(QuickParser, ReadsAugmentedAssignments) {
  for (const char* op : {"+", "-", "*", "/", "//", "%", "@", "**", "&", "|", "^", "<<", ">>"}) {
    const std::string statement = " " + std::string(op) + "= ";
    EXPECT_EQ(quick_result("a" + statement + "b"), "equal") << op;
    EXPECT_EQ(quick_result("a.b[c]" + statement + "d, e"), "equal") << op;
  }
}

TEST(QuickParser, ReadsAnnotations) {
  expect_equal({"a: b",
                "a: b = c",
                "a.b: c = d",
                "a[b]: c",
                "a: 'b'",
                "a: List[int]",
                "a: List[int] = []",
                "a: Dict[str, List[int]]",
                "a: Callable[[int, ...], None]",
                "a: b.c[d]",
                "a: b | None",
                "a: A[b] | None",
                "a: A[b] | C[d] | e | f",
                "a: None | A[b]",
                "a: (A[b])",
                "a: type[int]",
                "a: A[-1, 'b', (c), d.e, f(g)]",
                "a: A[b,]",
                "def f(a: A[b] = c, *d: e, f: g, **h: A[i]) -> A[j]: pass",
                "def f(a: tl.constexpr, b: 'c' = None): pass",
                "def f() -> A | None:\n    pass\n"});
}

TEST(QuickParser, ReadsConditions) {
  expect_equal({"if a: b", "if a: b\nelse: c", "if a:\n    b\nelif c:\n    d\nelif e:\n    f\nelse:\n    g\n",
                "if a: b\nelif c: d\n", "if (a := b): c", "if a := b: c", "while a: b",
                "while a:\n    break\nelse:\n    c\n", "while a := b():\n    continue\n",
                "while a:\n    if b: break\n    else: continue\n"});
}

TEST(QuickParser, ReadsLoops) {
  expect_equal({"for a in b: c", "for a, b in c: d", "for a, in b: c", "for (a, b) in c: d", "for [a, b] in c: d",
                "for a, *b in c: d", "for a.b in c: d", "for a[b] in c: d", "for a in b, c: d", "for a in b,: c",
                "for a in *b, c: d", "for a in b:\n    break\nelse:\n    c\n",
                "async def f():\n    async for a in b: c\n", "for a in b: pass  # c\n"});
}

TEST(QuickParser, ReadsTries) {
  expect_equal({"try: a\nexcept: b", "try: a\nexcept A: b", "try: a\nexcept A as b: c",
                "try: a\nexcept (A, B) as c: d\nexcept a.B: e\nexcept: f\nelse: g\nfinally: h\n",
                "try:\n    a\nfinally:\n    b\n", "try:\n    a\nexcept A:\n    b\n# c\nexcept B:\n    d\n",
                "try: a\nexcept A or B: c"});
}

TEST(QuickParser, ReadsWithItems) {
  expect_equal({"with a: b",
                "with a as b: c",
                "with a() as b, c as d: e",
                "with a as (b, c): d",
                "with a as b.c[d]: e",
                "with a, b: c",
                "with (a): b",
                "with (a) as b: c",
                "with (a as b): c",
                "with (a, b): c",
                "with (a, b,): c",
                "with (a as b, c as d,): e",
                "with (a as b, c): d",
                "with (a,): b",
                "with (a, b) as c: d",
                "with (a, b), c: d",
                "with (a).b as c: d",
                "with (a for a in b): c",
                "with a or b as c: d",
                "async def f():\n    async with a as b: c\n",
                "with (\n    a as b,\n    c as d\n):\n    e\n"});
}

TEST(QuickParser, ReadsFunctions) {
  expect_equal({"def f(): pass", "def f(a, b=1, *c, d, e=2, **f): pass", "def f(a, /, b, *, c): pass",
                "def f(*, a=1): pass", "def f(a,): pass", "def f(**a,): pass", "async def f(): await a",
                "def f():\n    'doc'\n    return 1\n", "def f(a): return a", "def f(\n    a,  # b\n    c=1,\n): pass\n",
                "def f(type, match, print, _, case): pass", "def f():\n    def g(): yield a\n    return g\n"});
}

TEST(QuickParser, ReadsClassesAndDecorators) {
  expect_equal({"class A: pass", "class A(): pass", "class A(B, c.D, metaclass=E, *f, **g): pass",
                "class A:\n    a: int\n    b = 1\n    def f(self): pass\n", "@a\ndef f(): pass\n",
                "@a.b(c, d=e)\n@f\nclass A: pass\n", "@a\n\n# b\n@c\nasync def f(): pass\n", "@a[b]\ndef f(): pass\n",
                "@(lambda f: f)\ndef g(): pass\n", "class A:\n    @b\n    @c\n    def f(self): pass\n"});
}

// Expressions

TEST(QuickParser, ReadsOperators) {
  expect_equal({"a + b - c",
                "a + b * c",
                "(a + b) * c",
                "a * b + c",
                "a @ b // c % d / e",
                "a << b >> c",
                "a | b ^ c & d",
                "a & b ^ c | d",
                "a ^ b & c",
                "a ** b ** c",
                "-a ** b",
                "a ** -b",
                "-a ** -b ** c",
                "- + ~a",
                "-a * b",
                "a - -b",
                "not a",
                "not not a",
                "not a == b",
                "not a and b",
                "a and b or c and not d",
                "a or b and c",
                "await_",
                "async def f(): await a + await b.c(d)",
                "async def f(): await a ** b",
                "async def f(): -await a"});
}

TEST(QuickParser, ReadsComparisons) {
  expect_equal({"a < b", "a < b <= c != d", "a == b", "a > b >= c", "a in b", "a not in b", "a is b", "a is not b",
                "a in b not in c is d is not e", "not a in b", "a + b < c | d", "a < -b"});
}

TEST(QuickParser, ReadsConditionalsLambdasAndWalruses) {
  expect_equal({"a if b else c",
                "a if b else c if d else e",
                "a or b if c and d else not e",
                "a = b if c else d, e",
                "lambda: a",
                "lambda a: a",
                "lambda a, b=1, *c, d, e=2, **f: a",
                "lambda *, a: a",
                "lambda *a: a",
                "lambda **a: a",
                "lambda: lambda: a",
                "lambda: a if b else c",
                "a if b else lambda: c",
                "lambda a=lambda: b: c",
                "f(lambda a: a, b)",
                "{a: lambda: b, c: d}",
                "a[lambda: b:c]",
                "(a := b)",
                "f(a := b)",
                "[a := b, c]",
                "(a := b or c)",
                "f = lambda: (yield)",
                "lambda a, /, b: c"});
}

TEST(QuickParser, ReadsCalls) {
  expect_equal({"f()",
                "f(a)",
                "f(a,)",
                "f(a, *b, c=d, **e)",
                "f(*a.b(), c)",
                "f(*a[b:c], **d.e)",
                "f(*a + b)",
                "f(*a if b else c)",
                "f(a for a in b)",
                "f(a, (b for b in c))",
                "f(a)(b)(c for c in d)",
                "f(a=b, *c)",
                "f(a=b, **c, d=e)",
                "a.b.c(d).e[f].g()",
                "f(print=1, type=2, match=3, exec=4, _=5)",
                "print(a, *b, sep='')",
                "exec(a)",
                "match(a)",
                "type(a)",
                "type(a).b()",
                "f(g(h(i(j))))",
                "f(a)\n(b)\n"});
}

TEST(QuickParser, ReadsSubscripts) {
  expect_equal({"a[b]",       "a[b, c]",
                "a[b,]",      "a[(b, c)]",
                "a[:]",       "a[::]",
                "a[b:]",      "a[:b]",
                "a[b:c]",     "a[b:c:d]",
                "a[::b]",     "a[b::]",
                "a[:, None]", "a[..., b:c, :, ::d]",
                "a[b:c,]",    "a[b][c][d]",
                "a[-1:]",     "a[b if c else d:e]",
                "k[(n,)](a)", "k[lambda m: (c(m['B']),)](a, b=c)"});
}

TEST(QuickParser, ReadsDisplays) {
  expect_equal({"()",
                "(a)",
                "((a))",
                "(a,)",
                "(a, b)",
                "(a, b,)",
                "(*a, b)",
                "[]",
                "[a]",
                "[a,]",
                "[a, *b]",
                "[*a]",
                "[*a.b(), c]",
                "{}",
                "{a}",
                "{a, b,}",
                "{*a, b}",
                "{a: b}",
                "{a: b, **c, d: e,}",
                "{**a}",
                "{'a': [1, {}]}",
                "def f(): (yield)",
                "def f(): (yield a, b)",
                "def f(): a((yield from b))"});
}

TEST(QuickParser, ReadsComprehensions) {
  expect_equal({"[a for a in b]", "{a for a in b}", "{a: b for a, b in c}", "(a for a in b)",
                "[a for a in b if c if d for e in f if g]", "[a if b else c for d in e]", "[a for a, *b in c]",
                "[a for a, in b]", "[a for (a, b), c in d]", "[[a for a in b] for b in c]", "[a for a in b or c]",
                "[lambda: a for a in b]", "[(a, b) for a.c in d]", "async def f(): [a async for a in b]",
                "[(b := a) for a in c if (d := a)]", "[a for a in b if not c in d]"});
}

// Literals

TEST(QuickParser, ReadsNumbers) {
  expect_equal({"0",       "00",    "1",           "1_000",      "0x1F",
                "0XfF",    "0x_ff", "0o17",        "0b101",      "1.5",
                "1.",      ".5",    "1e5",         "1E-5",       "1.5e+3",
                "2j",      "1.5J",  "1_0.0_1e1_0", "True, None", "f(True, False, None, ...)",
                "1 .real", "-1"});
}

TEST(QuickParser, ReadsStrings) {
  expect_equal({"''",
                "'a'",
                "\"a\"",
                "'''a'''",
                "\"\"\"a\nb \"c\" \"\"\"",
                "''''''",
                "'a\\n\\x41\\u0041\\101\\'\\\\'",
                "'\\N{DASH}'",
                "'a\\\nb'",
                "r'\\d'",
                "r'\\''",
                "R\"\"\"\\\"\"\"\"",
                "b'a\\x00'",
                "br'\\d'",
                "Rb'a'",
                "u'a'",
                "'a' 'b'",
                "'a' \"b\" r'\\c'",
                "b'a' b'b'",
                "('a'\n 'b'  # c\n 'd')",
                "'é'",
                "'\\q'",
                "'#'",
                "'{a}'",
                "f('a')['b'].c"});
}

TEST(QuickParser, ReadsFormattedStrings) {
  expect_equal({"f''",
                "f'a'",
                "f'{a}'",
                "f'a{b}c{d.e}f'",
                "f'{{'",
                "f'{{a}}{b}}}'",
                "f'{a!r}'",
                "f'{a!r:>{b}}'",
                "f'{a:>10.3f}'",
                "f'{a:{b}.{c!s}}'",
                "f'{a:}'",
                "f'{a: }'",
                "f'{a:#x}'",
                "f'{a=}'",
                "f'{a = }'",
                "f'{a=!r:>5}'",
                "f'{a, b}'",
                "f'{a,}'",
                "f'{a if b else c}'",
                "f'{a != b}'",
                "f\"{a['b']}\"",
                "f\"{f'{a}b'}c\"",
                "f'{ {1: 2}[1] }'",
                "f'{[a for a in b]}'",
                "f'{(lambda: a)()}'",
                "f'''{a}\n{b}'''",
                "f'\\n{a}\\x41'",
                "f'm\\x61t'",
                "rf'\\d{a}'",
                "F'{a}' 'b' f'{c}'",
                "'a' f'{b}' r'\\c'",
                "f'{a}' f'{b}'",
                "f'{a:%Y-%m-%d}'",
                "f'{a[0]:,}'",
                "f'{f(a)(b)}'",
                "f'{-a:d}'",
                "f'{ a }'"});
}

// What is not its business

TEST(QuickParser, GivesUpOnErrors) {
  expect_give_up({"a = = 1",
                  "a b",
                  "(",
                  ")",
                  "a = (",
                  "if a",
                  "if a: ",
                  "def f(",
                  "def f(*): pass",
                  "def f(*, **a): pass",
                  "def f(**a, b): pass",
                  "f(a=1, b)",
                  "f(**a, *b)",
                  "f(**a, b)",
                  "f() = 1",
                  "1 = a",
                  "a + b = c",
                  "None = a",
                  "f() += 1",
                  "*a = b",
                  "a = *b",
                  "del f()",
                  "for f() in a: b",
                  "try: a",
                  "try: a\nexcept: b\nexcept A: c",
                  "else: a",
                  "import",
                  "from a import",
                  "from import a",
                  "from a import b,",
                  "a if b",
                  "[a for a]",
                  "{a: b, c}",
                  "{a, b: c}",
                  "'a",
                  "'a\n'",
                  "'''a",
                  "f'{a'",
                  "f'{'",
                  "f'}'",
                  "f'{}'",
                  "b'a' 'b'",
                  "0777",
                  "1_",
                  "0x",
                  "1a",
                  "a $ b",
                  "a ? b",
                  "`a`",
                  "a <> b",
                  "a!",
                  "x = 1\\",
                  "@a\n",
                  "@a\nb = 1\n",
                  "class A(b for b in c): pass",
                  "with a as f(): b",
                  "a: b: c",
                  "(a, b): c",
                  "a, b += c"});
}

TEST(QuickParser, GivesUpOutsideFunctionsAndLoops) {
  expect_give_up({"return", "class A:\n    return a\n", "yield", "a = yield", "break", "continue",
                  "for a in b:\n    def f():\n        break\n", "while a: b\nelse: break\n",
                  "def f():\n    class A:\n        yield a\n"});
}

TEST(QuickParser, GivesUpOnPython2) {
  expect_give_up({"print a", "print 'a'", "print >>f, a", "print >> f", "exec 'a'", "exec a in b", "raise A, b",
                  "try: a\nexcept A, b: c", "ur'a'", "10L"});
}

TEST(QuickParser, GivesUpOnUnusualSyntax) {
  expect_give_up({"match a:\n    case b: c\n", "type A = b", "def f[T](a): pass", "class A[T]: pass",
                  "try: a\nexcept* A: b", "é = 1", "a = b.é", "f'{a\n}'", "rf'\\{a}'", "f'{a:{b:{c}}}'", "b'\\N'",
                  "a = 1if b else c"});
}

// Where the grammar reads otherwise than Python, and is put right.
TEST(QuickParser, ReadsWhatTheGrammarMisreads) {
  expect_equal({"a & b ^ c",
                "a ^ b & c | d",
                "await_ & (a ^ b) & c",
                "async def f(): await a ** b ** c",
                "x = *a.b, c",
                "x = *a(b)[c], *d | e ^ f & g, h",
                "*a.b, *c[d] = e",
                "[*a.b]",
                "{*a.b(c)}",
                "(*a.b, c)",
                "[*(a).b]",
                "def f(): return *a.b, c",
                "for a in *b.c, d: e",
                "(y := a if b else c)",
                "f(y := (a) if b else c)",
                "[y := a if b else c, d]",
                "(y := lambda: a)",
                "with a if b else c as d: e",
                "with a if b else c if d else e as f, g as h: i",
                "with (a,): b",
                "with (a, b,), c: d",
                "with ((a,)): b",
                "with (): a",
                "with (*a,): b",
                "(a) = b",
                "((a, b)) = c",
                "(a).b, (c) = d",
                "for (a) in b: c",
                "(a): b = c",
                "(a) += b",
                "f'{a:=5}'",
                "f(),\n",
                "a,\n",
                "a, b\n",
                "a[*b]",
                "a[b := c]",
                "a[*b, c]",
                "def f(* a, ** b): pass",
                "def f(*\\\na): pass",
                "a: A[b] | c ^ d & e | f",
                "a: A[b].c",
                "a: A[b:c]",
                "a: A[*b]",
                "def f(a: A[b]): pass"});
}

// Where the grammar would take two lines for one statement or a call for a type alias, it is made to refuse; and it
// knows only some of the expressions that may be annotations and indices.
TEST(QuickParser, ReadsWhatTheGrammarRefuses) {
  for (const std::string_view source :
       {"a,\ny = b\n", "a, b\n[c] = d\n", "x = a, [b]\n[c] = d\n", "type(x)\n[y] = 3\n", "type(a).b = c", "type[a] = b",
        "type (a)[b] = c", "a: A[b] | c if d else e", "a: A[b] | c or d", "a: A[b][c]", "a: A[b].c[d]", "a: A[b](c)",
        "def f():\n    x = (a +\n  b)\n", "class A:\n    @b\n  # c\n    def f(self): pass\n", "f'{a:={b}}'",
        "with (a, *b): c", "def f() -> a: b[c]", "a[*(b, c)]"}) {
    EXPECT_EQ(quick_result(source), "refused") << source;
  }
}

// Depth

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(QuickParser, LeavesDeepSourcesToTheGrammar) {
  for (std::size_t depth = 1; depth < 500; depth += depth < 20 ? 1 : 13) {
    const std::array<std::string, 14> sources = {
        "a" + repeated(".b", depth),
        "a" + repeated("()", depth),
        "a" + repeated("[0]", depth),
        "a" + repeated(" + a", depth),
        "a" + repeated(" and a", depth),
        repeated("-", depth) + "a",
        repeated("not ", depth) + "a",
        repeated("lambda: ", depth) + "a",
        repeated("a if b else ", depth) + "c",
        repeated("a = ", depth) + "b",
        "a" + repeated(" ** a", depth),
        repeated("(", std::min<std::size_t>(depth, 200)) + "a" + repeated(")", std::min<std::size_t>(depth, 200)),
        "f'{" + repeated("-", depth) + "a:{" + repeated("-", depth) + "b}}'",
        "if a: b\n" + repeated("elif a: b\n", depth)};
    for (const std::string& source : sources) {
      ASSERT_FALSE(find_limit_violation(source));
      const std::string result = quick_result(source);
      const bool right = result == "equal" || (result == "gave up" && depth >= 40);
      EXPECT_TRUE(right) << result << " at depth " << depth << ": " << source.substr(0, 40);
    }
  }
}

// Files

const std::vector<std::string>& case_texts() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::filesystem::path> paths;
    const auto root = std::filesystem::path(TRITONRL_SOURCE_DIR) / "tests" / "cases";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.path().extension() == ".py") paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<std::string> all;
    for (const auto& path : paths) all.push_back(base::read_file(path));
    return all;
  }();
  return texts;
}

bool is_ready(std::string_view text) {
  return text.find('\r') == std::string_view::npos && !find_limit_violation(text);
}

TEST(QuickParser, ReadsAlmostEveryCase) {
  int equal = 0;
  int given_up = 0;
  for (const std::string& text : case_texts()) {
    if (!is_ready(text)) continue;
    const std::string result = quick_result(text);
    EXPECT_THAT(result, testing::AnyOf("equal", "gave up", "refused")) << text.substr(0, 200);
    equal += result == "equal" ? 1 : 0;
    given_up += result == "gave up" && std::holds_alternative<SyntaxTree>(grammar_parse(text)) ? 1 : 0;
  }
  EXPECT_GE(equal, 200);
  EXPECT_LE(given_up * 100, (equal + given_up) * 2) << "it gave up on " << given_up << " of " << equal + given_up;
}

class QuickParserMutants : public testing::TestWithParam<int> {};

std::string mutated(std::string text, base::Random& random) {
  constexpr std::array<std::string_view, 64> kPieces = {"(",
                                                        ")",
                                                        "[",
                                                        "]",
                                                        "{",
                                                        "}",
                                                        ",",
                                                        ":",
                                                        ";",
                                                        ".",
                                                        "=",
                                                        "==",
                                                        ":=",
                                                        "+=",
                                                        "*",
                                                        "**",
                                                        "-",
                                                        "@",
                                                        "->",
                                                        "not ",
                                                        "and ",
                                                        "or ",
                                                        "in ",
                                                        "is ",
                                                        " if a else b",
                                                        "for a in b",
                                                        "lambda: ",
                                                        "yield ",
                                                        "await ",
                                                        "async ",
                                                        "return ",
                                                        "print ",
                                                        "type ",
                                                        "match ",
                                                        "exec ",
                                                        "_",
                                                        "1",
                                                        "1.5",
                                                        "'s'",
                                                        "f'{a}'",
                                                        "f'{a!r:>{b}}'",
                                                        "b'b'",
                                                        "\n",
                                                        "\n    ",
                                                        "    ",
                                                        "\t",
                                                        "\\\n",
                                                        "# c\n",
                                                        "\n# c\n",
                                                        "\f",
                                                        "'",
                                                        "\"",
                                                        "'''",
                                                        "{{",
                                                        "\\",
                                                        "a, = ",
                                                        "*a, ",
                                                        "(a)",
                                                        "x: A[b] | c",
                                                        "with (a, b): ",
                                                        "\xC3\xA9",
                                                        "...",
                                                        "def f(): ",
                                                        "elif a:"};
  for (std::uint64_t edits = 1 + random.below(3); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = random.below(text.size());
    const std::size_t line = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
    const std::string whole = text.substr(line, std::min(text.find('\n', line), text.size() - 1) + 1 - line);
    switch (random.below(6)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(7)));
        break;
      case 1:
        text.erase(at, 1 + random.below(4));
        break;
      case 2:
        text.insert(at, kPieces[random.below(kPieces.size())]);
        break;
      case 3:
        text.insert(line, whole);
        break;
      case 4:
        text.erase(line, whole.size());
        break;
      default: {
        text.erase(line, whole.size());
        const std::size_t other = text.find('\n', random.below(text.size() + 1));
        text.insert(other == std::string::npos ? 0 : other + 1, whole);
      }
    }
  }
  return text;
}

TEST_P(QuickParserMutants, AreReadAsTheGrammarReadsThem) {
  base::Random random(31, static_cast<std::uint64_t>(GetParam()));
  constexpr int kCount = 600;
  int equal = 0;
  int refused = 0;
  for (int i = 0; i < kCount; ++i) {
    const std::string text = mutated(case_texts()[random.below(case_texts().size())], random);
    if (!is_ready(text)) continue;
    const std::string result = quick_result(text);
    ASSERT_THAT(result, testing::AnyOf("equal", "gave up", "refused")) << text;
    equal += result == "equal" ? 1 : 0;
    refused += result == "refused" ? 1 : 0;
  }
  EXPECT_GE(equal, 30);
  EXPECT_LE(refused * 100, kCount) << "it takes what is no Python";
}

INSTANTIATE_TEST_SUITE_P(Seeds, QuickParserMutants, testing::Range(0, 6));

}  // namespace
}  // namespace tritonrl::pysource
