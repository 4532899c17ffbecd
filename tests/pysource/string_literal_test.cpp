#include "pysource/string_literal.h"

#include <gtest/gtest.h>

namespace tritonrl::pysource {
namespace {

TEST(StringPrefix, ReadsLettersInAnyOrderAndCase) {
  EXPECT_EQ(read_string_prefix("'a'").length, 0U);
  const auto raw_bytes = read_string_prefix("bR'a'");
  EXPECT_TRUE(raw_bytes.raw && raw_bytes.bytes && !raw_bytes.formatted);
  EXPECT_EQ(raw_bytes.length, 2U);
  EXPECT_TRUE(read_string_prefix("F\"a\"").formatted);
  EXPECT_FALSE(read_string_prefix("u'a'").raw);
}

std::string_view body(std::string_view literal) { return string_body(literal, read_string_prefix(literal)); }

TEST(StringBody, IsWhatStandsBetweenTheQuotes) {
  EXPECT_EQ(body("'abc'"), "abc");
  EXPECT_EQ(body("rb\"abc\""), "abc");
  EXPECT_EQ(body("'''a'b'''"), "a'b");
  EXPECT_EQ(body("\"\"\"\"\"\""), "");
  EXPECT_EQ(body("''"), "");
}

TEST(StringBody, OfAnIncompleteLiteralIsEmpty) {
  EXPECT_EQ(body("'"), "");
  EXPECT_EQ(body(""), "");
  EXPECT_EQ(body("b"), "");
}

TEST(DecodeEscapes, ResolvesEveryLetter) {
  EXPECT_EQ(decode_escapes(R"(\a\b\f\n\r\t\v\\\'\")", false), "\a\b\f\n\r\t\v\\'\"");
}

TEST(DecodeEscapes, ResolvesNumbers) {
  EXPECT_EQ(decode_escapes(R"(\x41\101\u0041\U00000041)", false), "AAAA");
  EXPECT_EQ(decode_escapes(R"(\0)", false), std::string(1, '\0'));
  EXPECT_EQ(decode_escapes(R"(\1234)", false), "S4");
  EXPECT_EQ(decode_escapes(R"(\u00e9\U0001F600)", false), "é😀");
}

TEST(DecodeEscapes, JoinsLinesAfterABackslash) {
  EXPECT_EQ(decode_escapes("a\\\nb", false), "ab");
  EXPECT_EQ(decode_escapes("a\\\r\nb", false), "ab");
}

TEST(DecodeEscapes, LeavesMalformedOnesAsTheyAre) {
  EXPECT_EQ(decode_escapes(R"(\xZZ\u12\q\N{DASH})", false), R"(\xZZ\u12\q\N{DASH})");
  EXPECT_EQ(decode_escapes("\\", false), "\\");
  EXPECT_EQ(decode_escapes("\\x4", false), "\\x4");
  EXPECT_EQ(decode_escapes(R"(\U00110000)", false), R"(\U00110000)");
}

TEST(DecodeEscapes, KnowsNoUnicodeInBytes) {
  EXPECT_EQ(decode_escapes(R"(\u0041)", true), R"(\u0041)");
  EXPECT_EQ(decode_escapes(R"(\x41)", true), "A");
}

TEST(DecodeEscapes, KeepsHighBytesOfBytesAsBytes) { EXPECT_EQ(decode_escapes(R"(\xff\377)", true), "\xff\xff"); }

}  // namespace
}  // namespace tritonrl::pysource
