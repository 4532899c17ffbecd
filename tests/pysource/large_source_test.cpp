#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "base/random.h"
#include "tests/pysource/tree_text.h"

// Large sources of every shape end in a tree or an error; that they end at all is what is tested.
namespace tritonrl::pysource {
namespace {

constexpr std::size_t kBytes = kMaxSourceBytes - 64;

// All of it in the long tests; the most likely shapes always.
std::size_t usual_bytes() { return std::getenv("SOAK") == nullptr ? kBytes / 8 : kBytes; }

std::string filled_with(std::string_view piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes);
  while (text.size() + piece.size() <= bytes) text += piece;
  return text;
}

// Ends the program when a source takes longer than any honest machine needs, under a sanitizer too.
class Deadline {
 public:
  Deadline() { alarm(90); }
  ~Deadline() { alarm(0); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
};

void expect_end(std::initializer_list<std::string_view> pieces, std::size_t bytes = usual_bytes()) {
  for (const std::string_view piece : pieces) {
    const std::string source = filled_with(piece, bytes);
    const Deadline deadline;
    const auto parsed = SyntaxTree::parse(source);
    if (const auto* error = std::get_if<SourceError>(&parsed)) {
      EXPECT_LE(error->offset, source.size()) << piece;
    }
  }
}

TEST(LargeSource, OfAWholeMebibyteEnds) {
  expect_end(
      {"(", "[", "'", "\"\"\"", "f'{", " ", "\n", "#", "a,", "x = 1\n", "def f(): pass\n", "if a:\n ", "1", "a."},
      kBytes);
}

TEST(LargeSource, OfBracketsEnds) {
  expect_end({"(", ")", "[", "{", "()", "(\n", "a(", "a[", "[a for a in ", "(a:=", "{'a':", "{**a, ", "f(*a, **b, ",
              "a[:,", "a[::"});
}

TEST(LargeSource, OfQuotesEnds) {
  expect_end({"'", "\"", "'''", "\"\"\"", "f'", "f'{", "f\"{'", "'a' ", "f'{a}' ", "f'{a!r:{b}}'\n", "r'\\'",
              "b'\\x00'", "`", "'\\"});
}

TEST(LargeSource, OfBlanksAndLineEndsEnds) {
  expect_end({" ", "\t", "\f", "\v", "\n", "\r", "\r\n", " \n", "\n ", "\n\t", "\\", "#", "#\n", "#\r", "a\n", "a;",
              "a\t", "\xEF\xBB\xBF"});
}

TEST(LargeSource, OfOperatorsEnds) {
  expect_end({"@",  ":",      ";",      ",",      "=",      "a=", "-",  "not ", "lambda:", "a.",   "a if a else ",
              "a,", "*",      "**",     ":=",     "->",     "<",  "<<", "!",    "~",       "a<b<", "$",
              "?",  "await ", "async ", "yield ", "a and ", "a+"});
}

TEST(LargeSource, OfLiteralsEnds) {
  expect_end({"1", "0x", "1.", "1e", "_", "é", "a", "0", "1_", "\x1a", "\x7f", "🙂"});
}

TEST(LargeSource, OfStatementsEnds) {
  expect_end({"x = 1\n",
              "if a:\n ",
              "if a: b\n",
              "if a:\n\t",
              "else:\n",
              "class A:\n",
              "def f():\n",
              "def f(): pass\n",
              "@d\n",
              "import a\n",
              "from a import b\n",
              "from . ",
              "print a\n",
              "exec 'a'\n",
              "match a:\n",
              "case _:\n",
              "for ",
              "for a in b ",
              "with a as b, ",
              "global a\n",
              "del a,",
              "assert a,\n",
              "raise a from b\n",
              "type a = b\n",
              "a: b = c\n",
              "a += b\n",
              "if a: b\nelif c: d\n",
              "elif c: d\n"});
}

TEST(LargeSource, OfLineContinuationsEnds) { expect_end({"\\\n", "\\\r\n", "\\\n ", "\\ \n", "a\\\n"}); }

TEST(LargeSource, OfDotsEnds) { expect_end({".", "...", ". ", ".\n", "a . . "}); }

TEST(LargeSource, OfUnfinishedTriesEnds) { expect_end({"try:\n", "try: a\n", "try:\n a\n", "try:;"}); }

class RandomSource : public testing::TestWithParam<int> {};

TEST_P(RandomSource, OfBytesEnds) {
  base::Random random(20, static_cast<std::uint64_t>(GetParam()));
  std::string source(kBytes, '\0');
  for (char& c : source) c = static_cast<char>(random.below(256));
  EXPECT_NE(error_text(source), "parsed");
}

TEST_P(RandomSource, OfPunctuationEnds) {
  base::Random random(21, static_cast<std::uint64_t>(GetParam()));
  constexpr std::string_view kLetters = "()[]{}:;,.=+-*/%@<>!&|^~'\"\\#\n\t aif01_";
  std::string source(kBytes, '\0');
  for (char& c : source) c = kLetters[random.below(kLetters.size())];
  const Deadline deadline;
  error_text(source);
}

TEST_P(RandomSource, OfTokensEnds) {
  base::Random random(22, static_cast<std::uint64_t>(GetParam()));
  constexpr std::array<std::string_view, 40> kTokens = {
      "def ",  "class ", "if ",     "else",    "elif ",  "for ",   "in ",    "while ",  "try",        "except ",
      "with ", "as ",    "lambda ", "return ", "yield ", "async ", "await ", "import ", "from ",      "x ",
      "1 ",    "'s' ",   "f'{x}' ", "(",       ")",      "[",      "]",      "{",       "}",          ":",
      ",",     ".",      "= ",      "+ ",      "* ",     "@",      "\n",     "\n    ",  "\n        ", "#c\n"};
  std::string source;
  while (source.size() < kBytes) source += kTokens[random.below(kTokens.size())];
  const Deadline deadline;
  error_text(source);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSource, testing::Range(0, 2));

}  // namespace
}  // namespace tritonrl::pysource
