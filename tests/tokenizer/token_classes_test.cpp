#include "tokenizer/token_classes.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/small_tokenizer.h"

namespace tritonrl::tokenizer {
namespace {

Tokenizer thinker() {
  auto definition = tests::small_definition();
  tests::add_merges(definition, {{">", "x"}, {"a", "<"}});
  tests::add_token(definition, {.content = "<|im_end|>"});
  tests::add_token(definition, {.content = "</think>", .special = false});
  return tests::make(definition);
}

// "p" for plan and "c" for code, a letter a token.
std::string classes_of(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  std::string letters;
  for (const TokenClass c : classify(TokenSpans(tokenizer, ids))) letters += c == TokenClass::kPlan ? 'p' : 'c';
  return letters;
}

// Byte by byte, as a model might sample what has a token of its own.
std::vector<TokenId> bytewise(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenId> ids;
  for (const char c : text) ids.push_back(tokenizer.encode({&c, 1}).at(0));
  return ids;
}

TEST(TokenClasses, TheFirstEndOfThoughtEndsThePlanAndBelongsToIt) {
  const auto tokenizer = thinker();
  EXPECT_EQ(classes_of(tokenizer, tokenizer.encode("ab</think>c</think><|im_end|>")), "pppccc");
}

TEST(TokenClasses, TheEndOfThoughtMayBeSpelledBySeveralTokens) {
  const auto tokenizer = thinker();
  EXPECT_EQ(classes_of(tokenizer, bytewise(tokenizer, "a</think>b")), "pppppppppc");
}

TEST(TokenClasses, ATokenHasTheClassOfItsFirstByte) {
  const auto tokenizer = thinker();
  auto ids = bytewise(tokenizer, "</think");
  ids.push_back(256);  // ">x": its first byte ends the plan
  ids.push_back(ids.front());
  EXPECT_EQ(TokenSpans(tokenizer, ids).bytes(), "</think>x<");
  EXPECT_EQ(classes_of(tokenizer, ids), "ppppppppc");
}

TEST(TokenClasses, WithoutAnEndAnOpenThoughtIsAllPlanAndTheRestAllCode) {
  const auto tokenizer = thinker();
  EXPECT_EQ(classes_of(tokenizer, bytewise(tokenizer, "<think>a")), "pppppppp");
  EXPECT_EQ(classes_of(tokenizer, bytewise(tokenizer, "ab")), "cc");
  EXPECT_EQ(classes_of(tokenizer, {}), "");
}

TEST(TokenSpans, GivesTheTokensThatStartInASpanOfBytes) {
  const auto tokenizer = thinker();
  const std::vector<TokenId> ids{257, 9999, 256, 0};  // "a<", nothing, ">x", "!"
  const TokenSpans spans(tokenizer, ids);
  EXPECT_EQ(spans.bytes(), "a<>x!");
  EXPECT_EQ(spans.tokens_in(0, 2), (std::pair<std::size_t, std::size_t>{0, 1}));
  EXPECT_EQ(spans.tokens_in(1, 4), (std::pair<std::size_t, std::size_t>{1, 3}));
  EXPECT_EQ(spans.tokens_in(3, 100), (std::pair<std::size_t, std::size_t>{3, 4}));
  EXPECT_EQ(spans.tokens_in(4, 1), (std::pair<std::size_t, std::size_t>{3, 3}));
}

}  // namespace
}  // namespace tritonrl::tokenizer
