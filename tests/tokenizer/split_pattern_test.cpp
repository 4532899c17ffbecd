#include "tokenizer/split_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::tokenizer {
namespace {

using testing::ElementsAre;

std::vector<std::string> cut(const SplitPattern& pattern, std::string_view text) {
  std::vector<std::size_t> ends;
  pattern.split(text, ends);
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    pieces.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

std::vector<std::string> qwen(std::string_view text) { return cut(*make_qwen_pattern(), text); }

TEST(QwenPattern, CutsWordsNumbersAndSymbols) {
  EXPECT_THAT(qwen("x = foo(12)"), ElementsAre("x", " =", " foo", "(", "1", "2", ")"));
  EXPECT_THAT(qwen("a.b  c"), ElementsAre("a", ".b", " ", " c"));
  EXPECT_THAT(qwen("!!\n\nx"), ElementsAre("!!\n\n", "x"));
}

TEST(QwenPattern, CutsContractionsInAnyCase) {
  EXPECT_THAT(qwen("it's WE'LL 'reb 'x"), ElementsAre("it", "'s", " WE", "'LL", " '", "reb", " '", "x"));
  EXPECT_THAT(qwen("'\u017Fa'"), ElementsAre("'\u017F", "a", "'"));
}

TEST(QwenPattern, LeavesTheLastSpaceToTheWordAfterIt) {
  EXPECT_THAT(qwen("a   b"), ElementsAre("a", "  ", " b"));
  EXPECT_THAT(qwen("a \n  b"), ElementsAre("a", " \n", " ", " b"));
  EXPECT_THAT(qwen("a  "), ElementsAre("a", "  "));
  EXPECT_THAT(qwen("a\t1"), ElementsAre("a", "\t", "1"));
}

TEST(RegexPattern, CutsWhatLiesBetweenMatchesToo) {
  if (!can_match_regex()) GTEST_SKIP() << "built without PCRE2";
  EXPECT_THAT(cut(*make_regex_pattern("[0-9]+", {}), "ab12c"), ElementsAre("ab", "12", "c"));
  EXPECT_THAT(cut(*make_regex_pattern("x*", {}), "axb"), ElementsAre("a", "x", "b"));
  EXPECT_THROW(make_regex_pattern("(", {.file = "tokenizer.json"}), base::InputError);
}

// A character of a kind that the pattern tells apart, so that runs and borders are frequent.
std::string any_character(base::Random& random) {
  static const std::vector<std::string> kCharacters = {
      "a", "S",  "\u00e9", "\u65e5", "\u017f", "1",          "\u00b2", "\u0663", " ",
      " ", "\t", "\n",     "\r",     "\u00a0", "\u3000",     "\u2028", "\u180e", "\u0085",
      "'", "'",  "s",      "t",      "r",      "e",          "v",      "m",      "l",
      "D", "!",  "_",      "\u0301", "\u20ac", "\U0001F600", "\u200d", "\ufeff", "x"};
  return kCharacters[random.below(kCharacters.size())];
}

TEST(QwenPattern, CutsAsTheRegularExpressionDoes) {
  if (!can_match_regex()) GTEST_SKIP() << "built without PCRE2";
  const auto fast = make_qwen_pattern();
  const auto slow = make_regex_pattern(std::string(kQwenPattern), {});
  base::Random random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::uint64_t length = random.below(24); length > 0; --length) text += any_character(random);
    ASSERT_EQ(cut(*fast, text), cut(*slow, text)) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace tritonrl::tokenizer
