#include "pysource/source_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pysource/tree_text.h"

namespace tritonrl::pysource {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string repeat(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::string brackets(std::size_t depth, char open = '(', char close = ')') {
  return std::string(depth, open) + "1" + std::string(depth, close);
}

// `levels` blocks inside each other, indented by one column each.
std::string blocks(std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += std::string(i, ' ') + "if x:\n";
  return text + std::string(levels, ' ') + "pass\n";
}

TEST(SourceLimits, AllowsTwoHundredBracketsAndNoMore) {
  EXPECT_EQ(error_text(brackets(200)), "parsed");
  EXPECT_THAT(error_text(brackets(201)), StartsWith("too deep@200: brackets are nested more than 200 deep"));
  EXPECT_THAT(error_text(brackets(201, '[', ']')), StartsWith("too deep@"));
  EXPECT_THAT(error_text(brackets(201, '{', '}')), StartsWith("too deep@"));
}

TEST(SourceLimits, CountsOpenBracketsNotAllOfThem) {
  EXPECT_EQ(error_text(repeat("f((1), [2])\n", 500)), "parsed");
  EXPECT_EQ(error_text("x = [" + repeat("(1),", 1000) + "]"), "parsed");
}

TEST(SourceLimits, IgnoresBracketsInStringsAndComments) {
  EXPECT_EQ(error_text("x = '" + std::string(300, '(') + "'"), "parsed");
  EXPECT_EQ(error_text("x = '''\n" + std::string(300, '(') + "\n'''"), "parsed");
  EXPECT_EQ(error_text("x = 1  # " + std::string(300, '(') + "\n"), "parsed");
  EXPECT_EQ(error_text(R"(x = '\'' + ")" + std::string(300, '(') + "\""), "parsed");
  EXPECT_EQ(error_text("x = r'\\\\'\ny = '" + std::string(300, '(') + "'"), "parsed");
}

TEST(SourceLimits, AllowsOneHundredIndentsAndNoMore) {
  EXPECT_EQ(error_text(blocks(99)), "parsed");
  EXPECT_THAT(error_text(blocks(101)), HasSubstr("blocks are nested more than 100 deep"));
}

TEST(SourceLimits, BoundsAttributeAndCallChains) {
  EXPECT_EQ(error_text("x" + repeat(".a", 300)), "parsed");
  EXPECT_THAT(error_text("x" + repeat(".a", 450)), StartsWith("too deep@"));
  EXPECT_THAT(error_text("x" + repeat("()", 450)), StartsWith("too deep@"));
  EXPECT_THAT(error_text("x" + repeat("[0]", 450)), StartsWith("too deep@"));
}

TEST(SourceLimits, BoundsOperatorChainsThatNest) {
  EXPECT_EQ(error_text("1" + repeat(" + 1", 300)), "parsed");
  EXPECT_THAT(error_text("1" + repeat(" + 1", 5000)), StartsWith("too deep@"));
  EXPECT_THAT(error_text(repeat("- ", 5000) + "1"), StartsWith("too deep@"));
  EXPECT_THAT(error_text(repeat("not ", 5000) + "1"), StartsWith("too deep@"));
  EXPECT_THAT(error_text(repeat("lambda: ", 5000) + "1"), StartsWith("too deep@"));
  EXPECT_THAT(error_text(repeat("1 if 2 else ", 5000) + "3"), StartsWith("too deep@"));
  EXPECT_THAT(error_text(repeat("a = ", 5000) + "1"), StartsWith("too deep@"));
}

TEST(SourceLimits, BoundsElifChains) {
  EXPECT_EQ(error_text("if a: b\n" + repeat("elif c: d\n", 150)), "parsed");
  EXPECT_THAT(error_text("if a: b\n" + repeat("elif c: d\n", 1000)), StartsWith("too deep@"));
}

TEST(SourceLimits, LetsFlatCodeBeLong) {
  EXPECT_EQ(error_text("x = [" + repeat("1, ", 10000) + "]"), "parsed");
  EXPECT_EQ(error_text("f(" + repeat("a=1, ", 10000) + ")"), "parsed");
  EXPECT_EQ(error_text("x = (" + repeat("'a'\n", 10000) + ")"), "parsed");
  EXPECT_EQ(error_text(repeat("x = 1\n", 10000)), "parsed");
  EXPECT_EQ(error_text("a < " + repeat("b < ", 1000) + "c"), "parsed");
}

TEST(SourceLimits, AllowsOneMebibyteAndNoMore) {
  const std::string line = "x = 1  # padding, padding\n";
  std::string source = repeat(line, kMaxSourceBytes / line.size());
  source += "#" + std::string(kMaxSourceBytes - source.size() - 1, '.');
  ASSERT_EQ(source.size(), kMaxSourceBytes);
  EXPECT_EQ(error_text(source), "parsed");
  source += "\n";
  EXPECT_THAT(error_text(source), StartsWith("too large@0: "));
}

TEST(SourceLimits, RefusesNulBytes) {
  EXPECT_EQ(error_text(std::string_view("x = 1\0\n", 7)), "encoding@5: the source holds a NUL byte");
  EXPECT_THAT(error_text(std::string_view("# \0", 3)), StartsWith("encoding@2"));
}

TEST(SourceLimits, RefusesInvalidUtf8) {
  EXPECT_EQ(error_text("x = '\xFF'"), "encoding@5: the source is not valid UTF-8");
  EXPECT_THAT(error_text("# \xC0\xAF"), StartsWith("encoding@2"));          // overlong
  EXPECT_THAT(error_text("# \xED\xA0\x80"), StartsWith("encoding@2"));      // a surrogate
  EXPECT_THAT(error_text("# \xF4\x90\x80\x80"), StartsWith("encoding@2"));  // past U+10FFFF
  EXPECT_THAT(error_text("x = 1 # \xE2\x82"), StartsWith("encoding@8"));    // cut short
  EXPECT_EQ(error_text("größe = '€😀'"), "parsed");
}

TEST(SourceLimits, TakesCarriageReturnsBeforeLineEnds) {
  EXPECT_EQ(tree_text("if a:\r\n    b\r\n\r\n    c\r\nd\r\n"), "(Module (If a (Block b c) -) d)");
  EXPECT_EQ(tree_text("x = (1 +\r\n     2)\r\n"), "(Assign x (Binary + 1 2) -)");
  EXPECT_EQ(tree_text("x = 1 + \\\r\n    2\r\n"), "(Assign x (Binary + 1 2) -)");
}

TEST(SourceLimits, NeverHidesCodeBehindALoneCarriageReturn) {
  // Python ends a line there: what follows is code, not comment.
  const std::string text = tree_text("a  # comment\revil()\n");
  EXPECT_TRUE(text.starts_with("error") || text.find("evil") != std::string::npos) << text;
}

TEST(SourceLimits, CountsTabsAsPythonDoes) {
  EXPECT_EQ(tree_text("if a:\n\tb\n\tc\n"), "(If a (Block b c) -)");
  EXPECT_EQ(tree_text("if a:\n\tif b:\n\t\tc\n"), "(If a (Block (If b (Block c) -)) -)");
}

TEST(SourceLimits, RefusesIndentationThatMatchesNoOuterLevel) {
  EXPECT_THAT(error_text("if a:\n        b\n    c\n"),
              StartsWith("syntax@20: this indentation matches no outer level"));
  EXPECT_THAT(error_text("def f():\n    if a:\n        b\n      c\n"), StartsWith("syntax@"));
}

// What Python sees as a dead branch and what the tree shows as one must be the same statements.

TEST(SourceLimits, SeesDeepIndentationAsPythonDoes) {
  const std::string source = "if False:\n" + std::string(256 + 1, ' ') + "a\n" + "b\n";
  const std::string nested = "def f():\n if False:\n" + std::string(256 + 1, ' ') + "a\n b\n";
  for (const std::string& each : {source, nested}) {
    const std::string text = tree_text(each);
    EXPECT_TRUE(text.starts_with("error") || text.find("(Block a) -)") != std::string::npos) << text;
  }
}

TEST(SourceLimits, TakesTheFirstLineOfASplitIndentation) {
  // A backslash ends the indentation: for Python, `b` stands at the column of the backslash.
  const std::string text = tree_text("def f():\n    if False:\n        a\n    \\\n    b\n");
  EXPECT_TRUE(text.starts_with("error") || text.find("(If (False) (Block a) -) b)") != std::string::npos) << text;
}

}  // namespace
}  // namespace tritonrl::pysource
