#include "tokenizer/text_stream.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/text.h"

namespace tritonrl::tokenizer {
namespace {

std::string whole(std::string_view bytes) {
  TextStream stream;
  std::string text = stream.push(bytes);
  return text + stream.finish();
}

TEST(TextStream, HoldsACharacterBackUntilItIsWhole) {
  TextStream stream;
  EXPECT_EQ(stream.push("a\xF0\x9F"), "a");
  EXPECT_EQ(stream.push("\x98"), "");
  EXPECT_EQ(stream.push("\x80!"), "\U0001F600!");
  EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, ReplacesWhatCanBeNoCharacter) {
  EXPECT_EQ(whole("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(whole("\xE6\x97"), "\uFFFD");
  EXPECT_EQ(whole("\xE6\x97z"), "\uFFFDz");
  EXPECT_EQ(whole("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "a surrogate";
  EXPECT_EQ(whole("\xC0\x80"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(whole("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "past U+10FFFF";
}

TEST(TextStream, GivesTheSameTextHoweverTheBytesCome) {
  base::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    for (std::uint64_t n = random.below(40); n > 0; --n) {
      bytes += random.below(2) == 0 ? std::string("\U0001F600").substr(0, 1 + random.below(4))
                                    : std::string(1, static_cast<char>(random.below(256)));
    }
    TextStream stream;
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = 1 + random.below(3);
      const std::string shown = stream.push(std::string_view(bytes).substr(at, size));
      ASSERT_TRUE(base::is_valid_utf8(shown));
      text += shown;
      at += size;
    }
    text += stream.finish();
    ASSERT_EQ(text, whole(bytes));
  }
}

}  // namespace
}  // namespace tritonrl::tokenizer
