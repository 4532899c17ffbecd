#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tritonrl::base {
namespace {

using ::testing::ElementsAre;

TEST(EditDistance, CountsASwapAsOne) {
  EXPECT_EQ(edit_distance("alpha", "alpha"), 0U);
  EXPECT_EQ(edit_distance("alpah", "alpha"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
}

TEST(NearestName, FindsWhatWasMeant) {
  const std::vector<std::string> names = {"alpha", "group_size", "learning_rate", "seed"};
  EXPECT_EQ(nearest_name("alpah", names), "alpha");
  EXPECT_EQ(nearest_name("groupsize", names), "group_size");
  EXPECT_EQ(nearest_name("learning-rate", names), "learning_rate");
  EXPECT_EQ(nearest_name("SEED", names), "seed");
}

TEST(NearestName, FindsNothingWhereNothingIsClose) {
  const std::vector<std::string> names = {"alpha", "group_size", "k"};
  EXPECT_EQ(nearest_name("temperature", names), std::nullopt);
  EXPECT_EQ(nearest_name("x", names), std::nullopt) << "one letter for another is no resemblance";
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(nearest_name("alpha", {}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), names), std::nullopt);
}

TEST(Utf8, AcceptsEveryLengthAndItsLimits) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("plain text that is longer than a word"));
  EXPECT_TRUE(is_valid_utf8("\x7f \xc2\x80 \xdf\xbf \xe0\xa0\x80 \xef\xbf\xbf \xf0\x90\x80\x80 \xf4\x8f\xbf\xbf"));
  EXPECT_TRUE(is_valid_utf8("\xed\x9f\xbf\xee\x80\x80"));
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  EXPECT_EQ(first_invalid_utf8("abc\xff"), 3U);
  EXPECT_EQ(first_invalid_utf8("\x80"), 0U);
  EXPECT_EQ(first_invalid_utf8("ok \xc0\xaf"), 3U) << "overlong";
  EXPECT_EQ(first_invalid_utf8("\xe0\x80\xaf"), 0U) << "overlong";
  EXPECT_EQ(first_invalid_utf8("\xf0\x8f\xbf\xbf"), 0U) << "overlong";
  EXPECT_EQ(first_invalid_utf8("\xed\xa0\x80"), 0U) << "surrogate";
  EXPECT_EQ(first_invalid_utf8("\xf4\x90\x80\x80"), 0U) << "past U+10FFFF";
  EXPECT_EQ(first_invalid_utf8("12345678\xe2\x82"), 8U) << "cut short";
  EXPECT_EQ(first_invalid_utf8("\xc3("), 0U);
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[0m\n\xff"), "a\\x1b[0m\\x0a\\xff");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(printable("größe"), "größe");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("aéé", 4), "aé...");
  EXPECT_EQ(printable(std::string(1'000'000, 'a')).size(), 123U);
}

TEST(Strip, RemovesBlanksAround) {
  EXPECT_EQ(strip("  a b\r\n"), "a b");
  EXPECT_EQ(strip(" \t\n"), "");
  EXPECT_EQ(strip(""), "");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_THAT(split("a.b..c", '.'), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(split("", '.'), ElementsAre(""));
  EXPECT_THAT(split(".", '.'), ElementsAre("", ""));
}

TEST(NaturalLess, OrdersNumbersByValue) {
  std::vector<std::string> names = {"level1/100", "level1/9", "level10/1", "level2/1", "level1/23",
                                    "a",          "",         "a01",       "a1",       "a1b"};
  std::sort(names.begin(), names.end(), natural_less);
  EXPECT_THAT(names,
              ElementsAre("", "a", "a01", "a1", "a1b", "level1/9", "level1/23", "level1/100", "level2/1", "level10/1"));
}

TEST(NaturalLess, ComparesNumbersThatFitNoInteger) {
  const std::string nines(400, '9');
  EXPECT_TRUE(natural_less("x" + nines, "x1" + nines));
  EXPECT_FALSE(natural_less("x1" + nines, "x" + nines));
}

TEST(LineIndex, CountsLinesAndColumnsFromOne) {
  const std::string text = "ab\ncd\n";
  const LineIndex index(text);
  EXPECT_EQ(index.position(0), (Position{1, 1}));
  EXPECT_EQ(index.position(1), (Position{1, 2}));
  EXPECT_EQ(index.position(2), (Position{1, 3}));
  EXPECT_EQ(index.position(3), (Position{2, 1}));
  EXPECT_EQ(index.position(6), (Position{3, 1}));
  EXPECT_EQ(index.position(1000), (Position{3, 1}));
  EXPECT_EQ(index.line_count(), 3U);
}

TEST(LineIndex, CountsCodePointsNotBytes) {
  const std::string text = "é = '𝔘'; x";
  const LineIndex index(text);
  EXPECT_EQ(index.position(text.find('=')), (Position{1, 3}));
  EXPECT_EQ(index.position(text.find('x')), (Position{1, 10}));
}

TEST(LineIndex, CutsLineEndsOff) {
  const LineIndex index("one\r\ntwo\n\nlast");
  EXPECT_EQ(index.line_text(1), "one");
  EXPECT_EQ(index.line_text(2), "two");
  EXPECT_EQ(index.line_text(3), "");
  EXPECT_EQ(index.line_text(4), "last");
  EXPECT_EQ(index.line_text(0), "");
  EXPECT_EQ(index.line_text(5), "");
}

// As in Python, and in the trees of src/pysource.
TEST(LineIndex, ALoneCarriageReturnEndsALine) {
  const LineIndex index("one\rtwo\r\r\nfour\r");
  EXPECT_EQ(index.line_count(), 5U);
  EXPECT_EQ(index.line_text(1), "one");
  EXPECT_EQ(index.line_text(2), "two");
  EXPECT_EQ(index.line_text(3), "");
  EXPECT_EQ(index.line_text(4), "four");
  EXPECT_EQ(index.position(4), (Position{2, 1}));
  EXPECT_EQ(index.position(10), (Position{4, 1}));
}

TEST(LineIndex, HandlesTheEmptyText) {
  const LineIndex index("");
  EXPECT_EQ(index.position(0), (Position{1, 1}));
  EXPECT_EQ(index.line_count(), 1U);
  EXPECT_EQ(index.line_text(1), "");
}

TEST(LineIndex, AgreesWithCountingOnLongLines) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 7 == 0 ? "ß" : i % 501 == 0 ? "\n" : "z";
  const LineIndex index(text);
  Position expected;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (starts) {
      ASSERT_EQ(index.position(i), expected) << i;
      expected = text[i] == '\n' ? Position{expected.line + 1, 1} : Position{expected.line, expected.column + 1};
    }
  }
  EXPECT_EQ(index.position(text.size()), expected);
}

TEST(LineIndex, IsFastOnAMegabyteOfOneLine) {
  const std::string text(1 << 20, 'x');
  const LineIndex index(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    ASSERT_EQ(index.position(i).column, i + 1);
  }
}

}  // namespace
}  // namespace tritonrl::base
