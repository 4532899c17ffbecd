#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "tests/pysource/same_tree.h"

// The quick parser against its slow twin, the grammar: the same tree, node for node, or the same error. A little of
// what is Python only the quick parser reads.
namespace tritonrl::pysource {
namespace {

constexpr std::string_view kRefused = "the grammar refuses it";

// Empty if there is none.
std::string difference(const std::string& source) {
  const auto parsed = SyntaxTree::parse(source);
  const auto by_grammar = SyntaxTree::parse_by_grammar(source);
  const bool refused = std::holds_alternative<SyntaxTree>(parsed) && std::holds_alternative<SourceError>(by_grammar);
  return refused ? std::string(kRefused) : tree_difference(parsed, by_grammar);
}

const std::vector<std::string>& case_texts() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(TRITONRL_SOURCE_DIR) /
                                                                           "tests" / "cases")) {
      if (entry.path().extension() == ".py") paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    std::vector<std::string> all;
    for (const auto& path : paths) all.push_back(base::read_file(path));
    return all;
  }();
  return texts;
}

TEST(Twin, AgreesOnEveryCase) {
  ASSERT_GE(case_texts().size(), 200U);
  std::size_t refused = 0;
  for (const std::string& text : case_texts()) {
    const std::string found = difference(text);
    refused += found == kRefused ? 1 : 0;
    EXPECT_THAT(found, testing::AnyOf("", kRefused)) << text.substr(0, 200);
  }
  EXPECT_LE(refused * 100, case_texts().size());
}

TEST(Twin, AgreesOnSmallSources) {
  for (const char* source :
       {"",
        "\n",
        "x",
        "x\n",
        "x;",
        "x;y\n",
        "x = 1",
        "if x: y",
        "if x:\n y\n",
        "if x:\n\ty\n",
        "if x: y; z\nelse: w\n",
        "(x)",
        "((x))",
        "(x,)",
        "()",
        "x,",
        "x = x,",
        "[x]",
        "[x,]",
        "{x}",
        "{x: y}",
        "{**x}",
        "x.y.z",
        "x[y]",
        "x[y, z]",
        "x[y,]",
        "x[:]",
        "x[::]",
        "x[y:z:w]",
        "x[*y]",
        "x()",
        "x(y)",
        "x(*y, **z)",
        "x(y=z)",
        "x(y for y in z)",
        "x(y := z)",
        "-x",
        "not x",
        "x ** -y",
        "x if y else z",
        "lambda: x",
        "lambda x, *y, z=w, **v: x",
        "lambda *, x: x",
        "x and y or z",
        "x < y < z",
        "x not in y",
        "x is not y",
        "x = y = z",
        "x: y",
        "x: y = z",
        "x += y",
        "x, *y = z",
        "for x in y: z",
        "for x, y in z:\n w\nelse:\n v\n",
        "while x: y",
        "with x: y",
        "with x as y, z as w: v",
        "with (x as y, z): w",
        "with (x, y): z",
        "with (x): y",
        "with (x) as y: z",
        "try:\n x\nexcept:\n y\n",
        "try:\n x\nexcept y as z:\n w\nelse:\n v\nfinally:\n u\n",
        "def f(): pass",
        "def f(x, /, y=z, *w, v, **u) -> t: pass",
        "async def f(): await x",
        "class X: pass",
        "class X(y, z=w): pass",
        "@x\ndef f(): pass",
        "@x.y(z)\n@w\nclass X: pass",
        "import x",
        "import x.y as z, w",
        "from x import y",
        "from . import x",
        "from ..x import (y, z as w,)",
        "from x import *",
        "from __future__ import x",
        "global x",
        "del x",
        "del x, y[z]",
        "assert x, y",
        "raise",
        "raise x from y",
        "return x",
        "def f(): return",
        "def f(): return x, y",
        "def f(): yield",
        "def f(): x = yield y",
        "def f(): yield from x",
        "pass",
        "break",
        "for x in y: break",
        "'x'",
        "'x' 'y'",
        "('x'\n 'y')",
        "f'x'",
        "f'{x}'",
        "f'{x!r:>{y}}'",
        "f'{{x}}'",
        "f'{x=}'",
        "f\"{'x'}\"",
        "f'{x}' 'y'",
        "r'\\x'",
        "b'x'",
        "'\\x41\\n'",
        "'''x\ny'''",
        "'\\\nx'",
        "1",
        "1.5",
        "1j",
        "0x1F",
        "1_000",
        "...",
        "True",
        "None",
        "x # y\n",
        "# x\n",
        "#",
        "x = (1 + # y\n     2)\n",
        "x = \\\n 1\n",
        "match x:\n case y: z\n",
        "match x:\n case [y, *z] if w: v\n case {'a': b, **c}: d\n case X(y, z=w) | Y(): v\n case _: u\n",
        "match = x",
        "match(x)",
        "case = x",
        "type = x",
        "type X = y",
        "print x",
        "print(x)",
        "print",
        "exec 'x'",
        "exec(x)",
        "x if y",
        "x +",
        "(",
        ")",
        "x = ",
        "def f(",
        "x y",
        "if x\n y",
        "  x",
        "x\n  y\n",
        "if x:\ny\n",
        "else: x",
        "x <> y",
        "`x`",
        "0777",
        "é = ü",
        "x\r\ny\r\n",
        "if x:\r\n y\r\n",
        "x\fy",
        "\fx",
        "x = [\n1,\n\n2]\n",
        "x.1",
        "1.x",
        "1 .x",
        "x:=y",
        "(x:=y)",
        "x = yield",
        "*x",
        "*x, y",
        "x = *y, z",
        "print(*x)",
        "[x for y in z if w for v in u]",
        "{x: y for z, w in v}",
        "{x for y in z}",
        "(x async for y in z)",
        "x @ y",
        "x @= y",
        "x // y % z",
        "x << y >> z & w | v ^ u",
        "~x",
        "a.b(c)[d].e = f",
        "x = lambda: (yield)",
        "nonlocal x",
        "def f[T](x: T) -> T: pass",
        "class X[T]: pass",
        "x: list[y]",
        "def f(x: list[y] = z): pass",
        "try:\n x\nexcept* y:\n z\n",
        "if x:\n y\n# z\nelse:\n w\n",
        "if x:\n  y\n # z\n  w\n",
        "x = 'unterminated",
        "x = '''unterminated"}) {
    EXPECT_EQ(difference(source), "") << source;
    EXPECT_EQ(difference(source + std::string("\n")), "") << source;
    EXPECT_EQ(difference("def g():\n    " + std::string(source) + "\n"), "") << "in a function: " << source;
  }
}

class TwinMutants : public testing::TestWithParam<int> {};

TEST_P(TwinMutants, AgreeToo) {
  base::Random random(5, static_cast<std::uint64_t>(GetParam()));
  constexpr std::array<std::string_view, 60> kPieces = {
      "(",        ")",      "[",      "]",          "{",     "}",    "'",  "\"",          "'''",    "\"\"\"",
      "\\",       "\\\n",   "#",      "\n",         "\n\n",  "\r\n", "\t", "\f",          " ",      "    ",
      ":",        ";",      ",",      ".",          "=",     ":=",   "@",  "*",           "**",     "->",
      "lambda: ", "yield ", "await ", "async ",     "not ",  "-",    "~",  " if x else ", " and ",  " in ",
      " is not ", "print ", "exec ",  "match x:\n", "type ", "f'{",  "}'", "f\"",         "rb'",    "0x",
      "1.",       "1_",     "...",    "<>",         "`",     "!=",   "é",  "else:\n",     "def f(", "return "};
  const int count = std::getenv("SOAK") == nullptr ? 400 : 4000;
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = case_texts()[random.below(case_texts().size())];
    for (std::uint64_t step = random.below(3) + 1; step > 0 && !text.empty(); --step) {
      const std::size_t at = random.below(text.size());
      switch (random.below(5)) {
        case 0:
          text.insert(at, kPieces[random.below(kPieces.size())]);
          break;
        case 1:
          text.erase(at, random.below(6) + 1);
          break;
        case 2:
          text[at] = static_cast<char>(random.below(128));
          break;
        case 3: {
          const std::string& other = case_texts()[random.below(case_texts().size())];
          if (!other.empty()) text.insert(at, other.substr(random.below(other.size()), random.below(40)));
          break;
        }
        default: {
          const std::size_t line = text.find('\n', at);
          if (line != std::string::npos) text.insert(line + 1, std::string(random.below(9), ' '));
        }
      }
    }
    const std::string found = difference(text);
    refused += found == kRefused ? 1 : 0;
    ASSERT_THAT(found, testing::AnyOf("", kRefused)) << "mutant " << i << " of seed " << GetParam() << ":\n" << text;
  }
  EXPECT_LE(refused * 100, count) << "the quick parser takes what is no Python";
}

INSTANTIATE_TEST_SUITE_P(Seeds, TwinMutants, testing::Range(0, 5));

}  // namespace
}  // namespace tritonrl::pysource
