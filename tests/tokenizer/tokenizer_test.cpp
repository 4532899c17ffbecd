#include "tokenizer/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/base/temporary_folder.h"
#include "tests/tokenizer/small_tokenizer.h"
#include "tokenizer/normalizer.h"

namespace tritonrl::tokenizer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::add_merges;
using tests::add_token;
using tests::make;
using tests::message_of;
using tests::small_definition;

std::vector<std::string> pieces(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> result;
  for (const TokenId id : tokenizer.encode(text)) result.emplace_back(tokenizer.bytes_of(id));
  return result;
}

TEST(Tokenizer, EncodesNothingAsNothing) { EXPECT_THAT(make(small_definition()).encode(""), IsEmpty()); }

TEST(Tokenizer, MergesTheBestRankFirstAndTheLeftmostOfEqualOnes) {
  auto definition = small_definition();
  add_merges(definition, {{"b", "c"}, {"a", "b"}, {"a", "a"}});
  const auto tokenizer = make(definition);
  EXPECT_THAT(pieces(tokenizer, "abc"), ElementsAre("a", "bc"));
  EXPECT_THAT(pieces(tokenizer, "aaa"), ElementsAre("aa", "a"));
}

TEST(Tokenizer, ATokenThatNoMergesReachStaysUnused) {
  auto definition = small_definition();
  add_merges(definition, {{"b", "c"}, {"a", "b"}, {"ab", "c"}});
  EXPECT_THAT(pieces(make(definition), "abc"), ElementsAre("a", "bc"));
  definition.whole_pieces_first = true;
  EXPECT_THAT(pieces(make(definition), "abc"), ElementsAre("abc"));
}

TEST(Tokenizer, LongPiecesMergeAsShortOnes) {
  auto definition = small_definition();
  add_merges(definition, {{"a", "b"}, {"ab", "ab"}, {"abab", "a"}, {"b", "a"}});
  const auto tokenizer = make(definition);
  std::string text;
  for (int i = 0; i < 500; ++i) text += "ab";
  const auto ids = tokenizer.encode(text);
  EXPECT_EQ(ids.size(), 250U);
  EXPECT_EQ(tokenizer.decode_bytes(ids), text);
}

TEST(Tokenizer, MergesStayInsidePieces) {
  auto definition = small_definition();
  add_merges(definition, {{"a", " "}, {" ", "a"}, {"1", "2"}});
  EXPECT_THAT(pieces(make(definition), "a a 12"), ElementsAre("a", " a", " ", "1", "2"));
}

TEST(Tokenizer, FindsAddedTokensLeftmostThenLongest) {
  auto definition = small_definition();
  add_token(definition, {.content = "<a>"});
  add_token(definition, {.content = "<a>b"});
  add_token(definition, {.content = "a>b<c"});
  EXPECT_THAT(pieces(make(definition), "x<a>b<c<a>"), ElementsAre("x", "<a>b", "<", "c", "<a>"));
}

TEST(Tokenizer, AddedTokensTakeSpacesAroundThemAndStandAloneWhereTold) {
  auto definition = small_definition();
  add_token(definition, {.content = "<l>", .lstrip = true});
  add_token(definition, {.content = "<r>", .rstrip = true});
  add_token(definition, {.content = "word", .single_word = true});
  const auto tokenizer = make(definition);
  EXPECT_THAT(pieces(tokenizer, "x \u00a0<l> x"), ElementsAre("x", "<l>", " ", "x"));
  EXPECT_THAT(pieces(tokenizer, "<r> \n<l>x"), ElementsAre("<r>", "<l>", "x"));
  EXPECT_THAT(pieces(tokenizer, "word-"), ElementsAre("word", "-"));
  EXPECT_EQ(pieces(tokenizer, "words").size(), 5U);
  EXPECT_EQ(pieces(tokenizer, "_word").size(), 5U);
}

TEST(Tokenizer, ATokenOfSpacesThatAnotherTookIsGone) {
  auto definition = small_definition();
  add_token(definition, {.content = "<r>", .rstrip = true});
  add_token(definition, {.content = "\n\n", .lstrip = true});
  EXPECT_THAT(pieces(make(definition), "<r>\n\n\nx"), ElementsAre("<r>", "x"));
}

TEST(Tokenizer, NormalizesTextButNotTheAddedTokensInIt) {
  if (!can_normalize()) GTEST_SKIP() << "built without libutf8proc";
  auto definition = small_definition();
  add_token(definition, {.content = "e\u0301"});
  const auto tokenizer = make(definition);
  EXPECT_THAT(pieces(tokenizer, "e\u0301"), ElementsAre("e\u0301"));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("o\u0301")), "\u00f3");
}

TEST(Tokenizer, RefusesTextThatIsNoUtf8WithItsPlace) {
  const auto tokenizer = make(small_definition());
  EXPECT_THAT(message_of<base::InputError>([&] { tokenizer.encode("ab\ncd\xFFx", "notes.txt"); }),
              HasSubstr("notes.txt:2:3: not UTF-8"));
  EXPECT_THAT(message_of<base::InputError>([&] { tokenizer.encode("\xED\xA0\x80"); }), HasSubstr("not UTF-8"));
}

TEST(Tokenizer, DecodesAnythingAModelMaySample) {
  auto definition = small_definition();
  add_token(definition, {.content = "<|end|>"});
  const auto tokenizer = make(definition);
  const std::vector<TokenId> ids{tokenizer.encode("\u65e5")[0], 256, -1, 100000, tokenizer.encode("a")[0]};
  EXPECT_EQ(tokenizer.decode(ids), "\uFFFD<|end|>a");
  EXPECT_EQ(tokenizer.decode(ids, SpecialTokens::kLeaveOut),
            "\uFFFD"
            "a");
  EXPECT_EQ(tokenizer.decode_bytes(ids), "\xE6<|end|>a");
}

TEST(Tokenizer, KnowsItsAddedTokens) {
  auto definition = small_definition();
  add_token(definition, {.content = "<|end|>"});
  add_token(definition, {.content = "<think>", .special = false});
  const auto tokenizer = make(definition);
  EXPECT_EQ(tokenizer.size(), 258U);
  EXPECT_EQ(tokenizer.added_token("<think>"), 257);
  EXPECT_EQ(tokenizer.added_token("<thin"), std::nullopt);
  EXPECT_TRUE(tokenizer.is_special(256));
  EXPECT_FALSE(tokenizer.is_special(257));
  EXPECT_FALSE(tokenizer.is_special(-1));
}

TEST(Tokenizer, LoadsFromAFolderAsFromAFile) {
  const tests::TemporaryFolder folder;
  const auto file = folder.file("tokenizer.json", definition_text(small_definition()));
  EXPECT_EQ(Tokenizer::load(folder.path()).encode("ab"), Tokenizer::load(file).encode("ab"));
  EXPECT_THROW(Tokenizer::load(folder.path() / "none"), base::InputError);
}

}  // namespace
}  // namespace tritonrl::tokenizer
