#include "tokenizer/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/base/temporary_folder.h"
#include "tests/tokenizer/small_tokenizer.h"

namespace tritonrl::tokenizer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::message_of;

std::vector<std::string> merges_of(const Definition& definition) {
  std::vector<std::string> merges;
  for (const auto& merge : definition.merges) merges.push_back(merge.left + " " + merge.right);
  return merges;
}

TEST(Trainer, MergesTheMostFrequentPairFirst) {
  Trainer trainer({.size = 264, .min_count = 2});
  trainer.add_text("low low low lower", "a.txt");
  EXPECT_THAT(merges_of(trainer.train()), ElementsAre("l o", "lo w", "Ġ low"));
}

TEST(Trainer, CountsOverlappingPairsOnceTheyMerge) {
  Trainer trainer({.size = 300, .min_count = 1, .added = {}});
  trainer.add_text("aaaaa", "a.txt");
  EXPECT_THAT(merges_of(trainer.train()), ElementsAre("a a", "aa a", "aa aaa"));
}

TEST(Trainer, NeverLearnsFromAddedTokens) {
  Trainer trainer;
  for (int i = 0; i < 10; ++i) trainer.add_text("<think></think><|im_end|>", "a.txt");
  const auto definition = trainer.train();
  EXPECT_TRUE(definition.merges.empty());
  EXPECT_EQ(definition.added.back().id, 260);
}

TEST(Trainer, WhatItLearnsEncodesTheTextInFewTokens) {
  Trainer trainer({.size = 400});
  std::string text;
  for (int i = 0; i < 200; ++i) text += "def kernel(x_ptr, n): # \u65e5\u672c " + std::to_string(i) + "\n";
  trainer.add_text(text, "a.txt");
  const auto definition = trainer.train();
  const auto tokenizer = tests::make(definition);
  EXPECT_LE(tokenizer.size(), 400U);
  const auto ids = tokenizer.encode(text);
  EXPECT_LT(ids.size() * 2, text.size());
  EXPECT_EQ(tokenizer.decode(ids), text);
  EXPECT_EQ(tokenizer.added_token("</think>"), static_cast<TokenId>(tokenizer.size()) - 1);
}

TEST(Trainer, RefusesASizeWithoutRoomAndTextThatIsNoUtf8) {
  EXPECT_THAT(message_of<base::InputError>([] { Trainer({.size = 260}); }), HasSubstr("260 tokens cannot be learned"));
  Trainer trainer;
  EXPECT_THAT(message_of<base::InputError>([&] { trainer.add_text("a\n\xFF", "a.txt"); }), HasSubstr("a.txt:2:1"));
}

}  // namespace
}  // namespace tritonrl::tokenizer
