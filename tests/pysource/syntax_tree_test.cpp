#include "pysource/syntax_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/pysource/tree_text.h"

namespace tritonrl::pysource {
namespace {

using ::testing::HasSubstr;

// Statements

TEST(SyntaxTree, OfNothingIsAnEmptyModule) {
  EXPECT_EQ(tree_text(""), "(Module)");
  EXPECT_EQ(tree_text("\n\n  \n# a comment\n"), "(Module)");
}

TEST(SyntaxTree, KeepsStatementsInOrder) { EXPECT_EQ(tree_text("a\nb; c\n\nd  # e\n"), "(Module a b c d)"); }

TEST(SyntaxTree, PutsFunctionPartsIntoSlots) {
  EXPECT_EQ(
      tree_text("def f(a, b: int, c=1, d: int = 2) -> float:\n    return a\n"),
      R"((FunctionDef "f" (List) (List (Param "a" - -) (Param "b" - int) (Param "c" 1 -) (Param "d" 2 int)) (Block (Return a)) float))");
  EXPECT_EQ(tree_text("def f(): pass\n"), R"((FunctionDef "f" (List) (List) (Block (Pass)) -))");
}

TEST(SyntaxTree, TellsStarParametersFromKeywordOnlyOnes) {
  EXPECT_EQ(
      tree_text("def f(a, *b, c, d=1, **e): pass"),
      R"((FunctionDef "f" (List) (List (Param "a" - -) (Param *args "b" - -) (Param keyword-only "c" - -) (Param keyword-only "d" 1 -) (Param **kwargs "e" - -)) (Block (Pass)) -))");
  EXPECT_EQ(tree_text("def f(a, *, c): pass"),
            R"((FunctionDef "f" (List) (List (Param "a" - -) (Param keyword-only "c" - -)) (Block (Pass)) -))");
  EXPECT_EQ(tree_text("def f(a, /, b): pass"),
            R"((FunctionDef "f" (List) (List (Param "a" - -) (Param "b" - -)) (Block (Pass)) -))");
  EXPECT_EQ(
      tree_text("def f(*args: int, **kw: str): pass"),
      R"((FunctionDef "f" (List) (List (Param *args "args" - int) (Param **kwargs "kw" - str)) (Block (Pass)) -))");
}

TEST(SyntaxTree, KeepsDecoratorsOutermostFirst) {
  EXPECT_EQ(
      tree_text("@triton.autotune(configs=[], key=['n'])\n@triton.jit\ndef k(x): pass\n"),
      R"((FunctionDef "k" (List (Call (Attribute "autotune" triton) (List (Keyword "configs" (ListDisplay)) (Keyword "key" (ListDisplay 'n')))) (Attribute "jit" triton)) (List (Param "x" - -)) (Block (Pass)) -))");
  EXPECT_EQ(tree_text("@d\n# why\n@e\nclass C: pass\n"), R"((ClassDef "C" (List d e) (List) (Block (Pass))))");
  EXPECT_EQ(tree_text("@(lambda f: f)\ndef g(): pass\n"),
            R"((FunctionDef "g" (List (Lambda (List (Param "f" - -)) f)) (List) (Block (Pass)) -))");
}

TEST(SyntaxTree, PutsClassPartsIntoSlots) {
  EXPECT_EQ(
      tree_text("class C(A, b.B, metaclass=M):\n    x: int\n    y = 1\n"),
      R"((ClassDef "C" (List) (List A (Attribute "B" b) (Keyword "metaclass" M)) (Block (Assign x - int) (Assign y 1 -))))");
  EXPECT_EQ(tree_text("class C(*bases, **options): pass"),
            R"((ClassDef "C" (List) (List (Starred bases) (DoubleStarred options)) (Block (Pass))))");
}

TEST(SyntaxTree, KnowsAsyncFunctions) {
  const auto parsed = SyntaxTree::parse("async def f():\n    await g()\ndef h(): pass\nasyncio = 1\n");
  const auto& tree = std::get<SyntaxTree>(parsed);
  const auto statements = tree.kids(tree.root());
  EXPECT_TRUE(tree.is_async(statements[0]));
  EXPECT_FALSE(tree.is_async(statements[1]));
  EXPECT_EQ(
      tree_text("async def f():\n    async for x in y:\n        async with z as w: await v\n"),
      R"((FunctionDef "f" (List) (List) (Block (For x y (Block (With (List (WithItem z w)) (Block (Await v)))) -)) -))");
}

TEST(SyntaxTree, NestsChainedAssignments) {
  EXPECT_EQ(tree_text("a = b = c = 1"), "(Assign a (Assign b (Assign c 1 -) -) -)");
  EXPECT_EQ(tree_text("a, b = b, a"), "(Assign (Tuple a b) (Tuple b a) -)");
  EXPECT_EQ(tree_text("a, *b = c"), "(Assign (Tuple a (Starred b)) c -)");
  EXPECT_EQ(tree_text("(a, [b, c]), d = e"), "(Assign (Tuple (Tuple a (ListDisplay b c)) d) e -)");
  EXPECT_EQ(tree_text("a.b[c] = 1"), R"((Assign (Subscript (Attribute "b" a) c) 1 -))");
}

TEST(SyntaxTree, KeepsAnnotationsOfAssignments) {
  EXPECT_EQ(tree_text("x: int"), "(Assign x - int)");
  EXPECT_EQ(tree_text("x: int = 3"), "(Assign x 3 int)");
}

TEST(SyntaxTree, NamesTheOperatorOfAugmentedAssignments) {
  EXPECT_EQ(tree_text("x += 1"), "(AugAssign + x 1)");
  EXPECT_EQ(tree_text("x @= w"), "(AugAssign @ x w)");
  EXPECT_EQ(tree_text("x //= 2"), "(AugAssign // x 2)");
  EXPECT_EQ(tree_text("x **= 2"), "(AugAssign ** x 2)");
  EXPECT_EQ(tree_text("x <<= 2"), "(AugAssign << x 2)");
  EXPECT_EQ(tree_text("x >>= 2"), "(AugAssign >> x 2)");
  EXPECT_EQ(tree_text("x[0] |= y"), "(AugAssign | (Subscript x 0) y)");
}

TEST(SyntaxTree, PutsLoopPartsIntoSlots) {
  EXPECT_EQ(tree_text("for i, x in y:\n    break\nelse:\n    z\n"), "(For (Tuple i x) y (Block (Pass)) (Block z))");
  EXPECT_EQ(tree_text("while a < b: continue\n"), "(While (Compare < a b) (Block (Pass)) -)");
  EXPECT_EQ(tree_text("while a: b\nelse: c\n"), "(While a (Block b) (Block c))");
  EXPECT_EQ(tree_text("for x in a, b: pass"), "(For x (Tuple a b) (Block (Pass)) -)");
}

TEST(SyntaxTree, NestsElifInTheElseSlot) {
  EXPECT_EQ(tree_text("if a:\n    b\nelif c:\n    d\nelif e:\n    f\nelse:\n    g\n"),
            "(If a (Block b) (If c (Block d) (If e (Block f) (Block g))))");
  EXPECT_EQ(tree_text("if a: b"), "(If a (Block b) -)");
  EXPECT_EQ(tree_text("if a: b\nelif c: d\n"), "(If a (Block b) (If c (Block d) -))");
}

TEST(SyntaxTree, PutsWithItemsIntoOneList) {
  EXPECT_EQ(tree_text("with a: b"), "(With (List (WithItem a -)) (Block b))");
  EXPECT_EQ(tree_text("with a as x, b() as (y, z): c"),
            "(With (List (WithItem a x) (WithItem (Call b (List)) (Tuple y z))) (Block c))");
  EXPECT_EQ(tree_text("with (a as x, b): c"), "(With (List (WithItem a x) (WithItem b -)) (Block c))");
}

TEST(SyntaxTree, PutsTryPartsIntoSlots) {
  EXPECT_EQ(
      tree_text(
          "try:\n    a\nexcept E as e:\n    b\nexcept (F, G):\n    c\nexcept:\n    d\nelse:\n    f\nfinally:\n    g\n"),
      R"((Try (Block a) (List (Handler "e" E (Block b)) (Handler (Tuple F G) (Block c)) (Handler - (Block d))) (Block f) (Block g)))");
  EXPECT_EQ(tree_text("try: a\nfinally: b\n"), "(Try (Block a) (List) - (Block b))");
  EXPECT_EQ(tree_text("try: a\nexcept* E as e: b\n"), R"((Try (Block a) (List (Handler "e" E (Block b))) - -))");
}

TEST(SyntaxTree, KeepsCapturesOfPatternsAsNames) {
  const std::string match = tree_text(
      "match x:\n    case [a, *b] if a: c\n    case {'k': v, **rest}: d\n    case P(q, r=s) | T() as u: e\n    case _: "
      "f\n");
  EXPECT_THAT(match, testing::StartsWith("(Match x (List (Case (Opaque"));
  for (const char* capture : {" a", " b", " v", " rest", " q", " s", " u"})
    EXPECT_THAT(match, HasSubstr(capture)) << match;
  EXPECT_THAT(match, HasSubstr(" (CompIf a) (Block c))")) << "the guard";
  EXPECT_EQ(tree_text("match = 1"), "(Assign match 1 -)");
  EXPECT_EQ(tree_text("match(x)"), "(Call match (List x))");
  EXPECT_EQ(tree_text("match[x]"), "(Subscript match x)");
  EXPECT_EQ(tree_text("case = match.type"), R"((Assign case (Attribute "type" match) -))");
}

TEST(SyntaxTree, KeepsRaiseAssertAndDeleteParts) {
  EXPECT_EQ(tree_text("raise"), "(Raise - -)");
  EXPECT_EQ(tree_text("raise E(1) from e"), "(Raise (Call E (List 1)) e)");
  EXPECT_EQ(tree_text("assert a, 'b'"), "(Assert a 'b')");
  EXPECT_EQ(tree_text("assert a"), "(Assert a)");
  EXPECT_EQ(tree_text("del a"), "(Delete a)");
  EXPECT_EQ(tree_text("del a, b[0], c.d"), R"((Delete a (Subscript b 0) (Attribute "d" c)))");
  EXPECT_EQ(tree_text("del (a, b)"), "(Delete a b)");
}

TEST(SyntaxTree, KeepsGlobalAndNonlocalNames) {
  EXPECT_EQ(tree_text("def f():\n    global a, b\n    nonlocal c\n"),
            R"((FunctionDef "f" (List) (List) (Block (Global a b) (Nonlocal c)) -))");
}

TEST(SyntaxTree, TellsImportsByNameFromImportsByAlias) {
  EXPECT_EQ(tree_text("import a.b, c as d"), R"((Import (Alias "a.b" -) (Alias "c" d)))");
  EXPECT_EQ(tree_text("from a.b import c, d as e"), R"((ImportFrom "a.b" (Alias "c" -) (Alias "d" e)))");
  EXPECT_EQ(tree_text("from a import (b,\n    c as d,)"), R"((ImportFrom "a" (Alias "b" -) (Alias "c" d)))");
  EXPECT_EQ(tree_text("from a import *"), R"((ImportFrom "a"))");
  EXPECT_EQ(tree_text("from . import a"), R"((ImportFrom "." (Alias "a" -)))");
  EXPECT_EQ(tree_text("from ..a import b"), R"((ImportFrom "..a" (Alias "b" -)))");
  EXPECT_EQ(tree_text("from __future__ import annotations"), R"((ImportFrom "__future__" (Alias "annotations" -)))");
}

TEST(SyntaxTree, KeepsTypeAliases) { EXPECT_EQ(tree_text("type X = int"), "(TypeAlias X int)"); }

// Expressions

TEST(SyntaxTree, KeepsAttributeChainsInsideOut) {
  EXPECT_EQ(tree_text("a.b.c()"), R"((Call (Attribute "c" (Attribute "b" a)) (List)))");
}

TEST(SyntaxTree, KeepsEveryKindOfArgument) {
  EXPECT_EQ(tree_text("f(a, *b, c=1, **d)"), R"((Call f (List a (Starred b) (Keyword "c" 1) (DoubleStarred d))))");
  EXPECT_EQ(tree_text("f(x for x in y)"), "(Call f (List (Comprehension x (CompFor x y))))");
  EXPECT_EQ(tree_text("f(a := 1)"), R"((Call f (List (Named "a" 1))))");
}

TEST(SyntaxTree, MakesATupleOfSeveralIndices) {
  EXPECT_EQ(tree_text("x[a, b]"), "(Subscript x (Tuple a b))");
  EXPECT_EQ(tree_text("x[a,]"), "(Subscript x (Tuple a))");
  EXPECT_EQ(tree_text("x[a]"), "(Subscript x a)");
  EXPECT_EQ(tree_text("x[(a, b)]"), "(Subscript x (Tuple a b))");
  EXPECT_EQ(tree_text("k[(n,)](x)"), "(Call (Subscript k (Tuple n)) (List x))");
}

TEST(SyntaxTree, PutsSlicePartsIntoSlots) {
  EXPECT_EQ(tree_text("x[:]"), "(Subscript x (Slice - - -))");
  EXPECT_EQ(tree_text("x[a:b:c]"), "(Subscript x (Slice a b c))");
  EXPECT_EQ(tree_text("x[::c]"), "(Subscript x (Slice - - c))");
  EXPECT_EQ(tree_text("x[:b]"), "(Subscript x (Slice - b -))");
  EXPECT_EQ(tree_text("x[a:]"), "(Subscript x (Slice a - -))");
  EXPECT_EQ(tree_text("x[a::]"), "(Subscript x (Slice a - -))");
  EXPECT_EQ(tree_text("x[:, None]"), "(Subscript x (Tuple (Slice - - -) (None)))");
  EXPECT_EQ(tree_text("x[..., 1:2]"), "(Subscript x (Tuple (Ellipsis) (Slice 1 2 -)))");
}

TEST(SyntaxTree, NamesBinaryOperators) {
  EXPECT_EQ(tree_text("a + b * c"), "(Binary + a (Binary * b c))");
  EXPECT_EQ(tree_text("(a + b) * c"), "(Binary * (Binary + a b) c)");
  EXPECT_EQ(tree_text("a - b - c"), "(Binary - (Binary - a b) c)");
  EXPECT_EQ(tree_text("a ** b ** c"), "(Binary ** a (Binary ** b c))");
  EXPECT_EQ(tree_text("a @ b // c % d / e"), "(Binary / (Binary % (Binary // (Binary @ a b) c) d) e)");
  EXPECT_EQ(tree_text("a & b ^ c & d"), "(Binary ^ (Binary & a b) (Binary & c d))");
  EXPECT_EQ(tree_text("a & b | c ^ d << e >> f"),
            "(Binary | (Binary & a b) (Binary ^ c (Binary >> (Binary << d e) f)))");
}

TEST(SyntaxTree, NamesBooleanAndUnaryOperators) {
  EXPECT_EQ(tree_text("a and b or not c"), "(Bool or (Bool and a b) (Unary not c))");
  EXPECT_EQ(tree_text("-a"), "(Unary - a)");
  EXPECT_EQ(tree_text("+a"), "(Unary + a)");
  EXPECT_EQ(tree_text("~a"), "(Unary ~ a)");
  EXPECT_EQ(tree_text("-a ** 2"), "(Unary - (Binary ** a 2))");
}

TEST(SyntaxTree, KeepsEveryOperandOfAComparison) {
  EXPECT_EQ(tree_text("a < b <= c"), "(Compare < a b c)");
  EXPECT_EQ(tree_text("a not in b"), "(Compare not in a b)");
  EXPECT_EQ(tree_text("a is not b"), "(Compare is not a b)");
  EXPECT_EQ(tree_text("a != b"), "(Compare != a b)");
  EXPECT_EQ(tree_text("a is b"), "(Compare is a b)");
}

TEST(SyntaxTree, OrdersConditionalsAsWritten) { EXPECT_EQ(tree_text("a if b else c"), "(Conditional a b c)"); }

TEST(SyntaxTree, KeepsTheWalrus) {
  EXPECT_EQ(tree_text("(y := f(x))"), R"((Named "y" (Call f (List x))))");
  EXPECT_EQ(tree_text("if (n := a) > 1: pass"), R"((If (Compare > (Named "n" a) 1) (Block (Pass)) -))");
}

TEST(SyntaxTree, KeepsLambdaParametersAndDefaults) {
  EXPECT_EQ(tree_text("lambda: 1"), "(Lambda (List) 1)");
  EXPECT_EQ(
      tree_text("lambda x, y=f, *a, z, **k: x"),
      R"((Lambda (List (Param "x" - -) (Param "y" f -) (Param *args "a" - -) (Param keyword-only "z" - -) (Param **kwargs "k" - -)) x))");
}

TEST(SyntaxTree, HasStarsBindLooserThanOperators) {
  EXPECT_EQ(tree_text("x = *a.b, c"), R"((Assign x (Tuple (Starred (Attribute "b" a)) c) -))");
  EXPECT_EQ(tree_text("[*a | b]"), "(ListDisplay (Starred (Binary | a b)))");
  EXPECT_EQ(tree_text("*a.b, c = d"), R"((Assign (Tuple (Starred (Attribute "b" a)) c) d -))");
}

TEST(SyntaxTree, HasWalrusesAndAsBindLooserThanConditions) {
  EXPECT_EQ(tree_text("(y := a if b else c)"), R"((Named "y" (Conditional a b c)))");
  EXPECT_EQ(tree_text("with a if b else c as d: e"), "(With (List (WithItem (Conditional a b c) d)) (Block e))");
}

TEST(SyntaxTree, EndsStatementsWithTheirLines) {
  EXPECT_EQ(tree_text("a,\ny = b\n"), "(Module (Tuple a) (Assign y b -))");
  EXPECT_EQ(tree_text("a, b\n[c] = d\n"), "(Module (Tuple a b) (Assign (ListDisplay c) d -))");
  EXPECT_EQ(tree_text("x = a, [b]\n[c] = d\n"),
            "(Module (Assign x (Tuple a (ListDisplay b)) -) (Assign (ListDisplay c) d -))");
  EXPECT_EQ(tree_text("type(x)\n[y] = 3\n"), "(Module (Call type (List x)) (Assign (ListDisplay y) 3 -))");
}

// A letter outside ASCII leaves these to the grammar, which would read two lines as one statement.
TEST(SyntaxTree, RefusesLinesThatTheGrammarWouldJoin) {
  for (const char* source : {"é\na,\ny = b\n", "é\na, b\n[c] = d\n", "é\nx = a, [b]\n[c] = d\n",
                             "é\nif a: b, c\n[d] = e\n", "é\ntype(x)\n[y] = 3\n"}) {
    EXPECT_EQ(tree_text(source), "error: this statement runs over the end of its line") << source;
  }
  EXPECT_EQ(tree_text("é = a, \\\n  b, (c,\n  d), \"\"\"\n\"\"\""), "(Assign é (Tuple a b (Tuple c d) '\n') -)");
}

TEST(SyntaxTree, ReadsAnnotationsAsExpressions) {
  EXPECT_EQ(tree_text("x: A[b][c]"), "(Assign x - (Subscript (Subscript A b) c))");
  EXPECT_EQ(tree_text("x: A[b, c] | None"), "(Assign x - (Binary | (Subscript A (Tuple b c)) (None)))");
}

TEST(SyntaxTree, KeepsBlanksOutOfModuleNames) {
  EXPECT_EQ(tree_text("import a . b"), R"((Import (Alias "a.b" -)))");
  EXPECT_EQ(tree_text("from . a .b import c"), R"((ImportFrom ".a.b" (Alias "c" -)))");
}

TEST(SyntaxTree, KeepsDisplays) {
  EXPECT_EQ(tree_text("()"), "(Tuple)");
  EXPECT_EQ(tree_text("x = a,"), "(Assign x (Tuple a) -)");
  EXPECT_EQ(tree_text("(a)"), "a");
  EXPECT_EQ(tree_text("[a, *b]"), "(ListDisplay a (Starred b))");
  EXPECT_EQ(tree_text("{a, b}"), "(Set a b)");
  EXPECT_EQ(tree_text("{}"), "(Dict)");
  EXPECT_EQ(tree_text("{'a': 1, **b}"), "(Dict (Pair 'a' 1) (DoubleStarred b))");
}

TEST(SyntaxTree, KeepsClausesOfComprehensionsInOrder) {
  EXPECT_EQ(tree_text("[a for a in b if a for c in d if c if e]"),
            "(Comprehension a (CompFor a b) (CompIf a) (CompFor c d) (CompIf c) (CompIf e))");
  EXPECT_EQ(tree_text("{a: b for a, b in c}"), "(Comprehension (Pair a b) (CompFor (Tuple a b) c))");
  EXPECT_EQ(tree_text("{a for a in b}"), "(Comprehension a (CompFor a b))");
  EXPECT_EQ(tree_text("sum(a for a in b)"), "(Call sum (List (Comprehension a (CompFor a b))))");
}

TEST(SyntaxTree, KeepsAwaitAndYield) {
  EXPECT_EQ(tree_text("async def f(): await a ** b"),
            R"((FunctionDef "f" (List) (List) (Block (Binary ** (Await a) b)) -))");
  EXPECT_EQ(tree_text("def f():\n    yield\n    yield a\n    yield from b\n    c = yield d\n"),
            R"((FunctionDef "f" (List) (List) (Block (Yield) (Yield a) (Yield b) (Assign c (Yield d) -)) -))");
}

TEST(SyntaxTree, KnowsConstants) {
  EXPECT_EQ(tree_text("True, False, None, ..., 1.5e3, 2j"), "(Tuple (True) (False) (None) (Ellipsis) 1.5e3 2j)");
}

TEST(SyntaxTree, IgnoresCommentsAndContinuationLines) {
  EXPECT_EQ(tree_text("f(a,  # one\n  # two\n  b)"), "(Call f (List a b))");
  EXPECT_EQ(tree_text("x = 1 + \\\n    2\n"), "(Assign x (Binary + 1 2) -)");
}

// Strings

TEST(SyntaxTree, DecodesStrings) {
  EXPECT_EQ(tree_text(R"('a\n')"), "'a\n'");
  EXPECT_EQ(tree_text(R"("\x6d\u006D\155")"), "'mmm'");
  EXPECT_EQ(tree_text(R"(r'a\n')"), R"('a\n')");
  EXPECT_EQ(tree_text(R"(b'\x41')"), "b'A'");
  EXPECT_EQ(tree_text(R"(Rb'\x41')"), R"(b'\x41')");
  EXPECT_EQ(tree_text("'''a\n\"b\" 'c'\n'''"), "'a\n\"b\" 'c'\n'");
  EXPECT_EQ(tree_text("u'a'"), "'a'");
  EXPECT_EQ(tree_text("''"), "''");
  EXPECT_EQ(tree_text("''''''"), "''");
}

TEST(SyntaxTree, JoinsNeighbouringStrings) {
  EXPECT_EQ(tree_text("'mat' \"mul\""), "'matmul'");
  EXPECT_EQ(tree_text("('mat'\n 'm'  # really\n 'ul')"), "'matmul'");
  EXPECT_EQ(tree_text(R"('a\x62' r'\x63')"), R"('ab\x63')");
  EXPECT_EQ(tree_text("b'a' b'b'"), "b'ab'");
}

TEST(SyntaxTree, KeepsPartsOfFormattedStrings) {
  EXPECT_EQ(tree_text("f'a{b}c{d.e}'"), R"((FString 'a' b 'c' (Attribute "e" d)))");
  EXPECT_EQ(tree_text("f'plain'"), "'plain'");
  EXPECT_EQ(tree_text("f'{x!r:>{w}}'"), "(FString (Opaque x w))");
  EXPECT_EQ(tree_text("f'{\"ab\":.1}{\"c\"}'"), "(FString (Opaque 'ab') 'c')");
  EXPECT_EQ(tree_text("f\"{f'{a}b'}c\""), "(FString (FString a 'b') 'c')");
  EXPECT_EQ(tree_text("f'{a}' 'b' f'{c}'"), "(FString a 'b' c)");
  EXPECT_EQ(tree_text("f'''{\na\n}'''"), "(FString a)");
  EXPECT_EQ(tree_text("f'{x=}'"), "(FString (Opaque x))");
}

TEST(SyntaxTree, DecodesEscapesInFormattedStrings) {
  EXPECT_EQ(tree_text(R"(f'\x6d{a}\x75l')"), "(FString 'm' a 'ul')");
  EXPECT_EQ(tree_text("f'{{a}}{b}'"), "(FString '{a}' b)");
  EXPECT_EQ(tree_text(R"(f'm\x61t')"), "'mat'");
  EXPECT_EQ(tree_text("f'{{}}'"), "'{}'");
}

// Numbers

std::optional<std::int64_t> int_of(std::string_view literal) {
  const auto parsed = SyntaxTree::parse(literal);
  const auto& tree = std::get<SyntaxTree>(parsed);
  return tree.int_value(tree.kid(tree.root(), 0));
}

TEST(IntValue, ReadsEveryBase) {
  EXPECT_EQ(int_of("0"), 0);
  EXPECT_EQ(int_of("42"), 42);
  EXPECT_EQ(int_of("0x1F"), 31);
  EXPECT_EQ(int_of("0XfF"), 255);
  EXPECT_EQ(int_of("0o17"), 15);
  EXPECT_EQ(int_of("0b101"), 5);
  EXPECT_EQ(int_of("1_000_000"), 1'000'000);
  EXPECT_EQ(int_of("0x_ff"), 255);
  EXPECT_EQ(int_of("00"), 0);
}

TEST(IntValue, IsNothingPastSixtyFourBits) {
  EXPECT_EQ(int_of("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(int_of("9223372036854775808"), std::nullopt);
  EXPECT_EQ(int_of("0xFFFFFFFFFFFFFFFF"), std::nullopt);
  EXPECT_EQ(int_of("1" + std::string(5000, '0')), std::nullopt);
}

// The tree as an object

TEST(SyntaxTree, KnowsWhereEveryNodeStands) {
  const std::string source = "x = 1\ndef f(a):\n    return torch.mm(a, 'é')\n";
  const auto parsed = SyntaxTree::parse(source);
  const auto& tree = std::get<SyntaxTree>(parsed);
  const NodeId function = tree.kid(tree.root(), 1);
  const NodeId call = tree.kid(tree.kid(tree.kid(function, 2), 0), 0);
  EXPECT_EQ(tree.source_of(call), "torch.mm(a, 'é')");
  EXPECT_EQ(tree.begin(call), source.find("torch"));
  for (NodeId node = 1; node < tree.size(); ++node) {
    EXPECT_LE(tree.begin(node), tree.end(node));
    EXPECT_LE(tree.end(node), source.size());
  }
}

TEST(SyntaxTree, HasNoKidsInSlotsPastTheLast) {
  const auto parsed = SyntaxTree::parse("return_value");
  const auto& tree = std::get<SyntaxTree>(parsed);
  EXPECT_EQ(tree.kid(tree.root(), 99), kAbsentNode);
  EXPECT_EQ(tree.kid(kAbsentNode, 0), kAbsentNode);
  EXPECT_EQ(tree.kind(kAbsentNode), Kind::kAbsent);
}

TEST(SyntaxTree, OutlivesTheTextItWasMadeFrom) {
  auto source = std::make_unique<std::string>("name = 'va\\x6cue'");
  auto parsed = SyntaxTree::parse(*source);
  source->assign(source->size(), '#');
  source.reset();
  const SyntaxTree tree = std::move(std::get<SyntaxTree>(parsed));
  EXPECT_EQ(tree_text(tree, tree.root()), "(Module (Assign name 'value' -))");
}

TEST(SyntaxTree, IsMadeOnSeveralThreadsAtOnce) {
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& each : found) {
    threads.emplace_back([&each] {
      for (int i = 0; i < 50; ++i) each = tree_text("def f(x): return x + 1");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& each : found) EXPECT_EQ(each, tree_text("def f(x): return x + 1"));
}

}  // namespace
}  // namespace tritonrl::pysource
