#include "train/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"

namespace tritonrl::train {
namespace {

using testing::ElementsAre;

TrainText text_of(std::int64_t tokens, std::int64_t prompt = 1) {
  return {.token_ids = std::vector<std::int32_t>(static_cast<std::size_t>(tokens), 7), .prompt_tokens = prompt};
}

TEST(Packing, KeepsToTheLimitAndLosesNoText) {
  base::Random random(3);
  std::vector<TrainText> texts;
  std::int64_t all = 0;
  for (int i = 0; i < 200; ++i) {
    texts.push_back(text_of(random.between(2, 700)));
    all += texts.back().tokens();
  }
  const auto batches = pack(texts, 1000);
  std::set<std::size_t> seen;
  for (const auto& batch : batches) {
    std::int64_t tokens = 0;
    for (const std::size_t text : batch) {
      tokens += texts[text].tokens();
      EXPECT_TRUE(seen.insert(text).second);
    }
    EXPECT_LE(tokens, 1000);
  }
  EXPECT_EQ(seen.size(), texts.size());
  EXPECT_LE(static_cast<std::int64_t>(batches.size()), all / 1000 * 5 / 4);
}

TEST(Packing, GivesATextThatIsTooLongABatchOfItsOwn) {
  const auto batches = pack(std::vector<TrainText>{text_of(5), text_of(50), text_of(5)}, 12);
  EXPECT_EQ(std::ranges::count(batches, std::vector<std::size_t>{1}), 1);
}

TEST(Packing, OfNothingIsNothing) { EXPECT_TRUE(pack({}, 10).empty()); }

TEST(Packing, ScoresWhatFollowsThePrompt) {
  const std::vector<TrainText> texts = {{.token_ids = {1, 2, 3, 4}, .prompt_tokens = 2},
                                        {.token_ids = {5, 6}, .prompt_tokens = 1}};
  const std::vector<std::size_t> both = {0, 1};
  const PackedRows rows = pack_rows(texts, both);
  EXPECT_THAT(rows.token_ids, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(rows.positions, ElementsAre(0, 1, 2, 3, 0, 1));
  EXPECT_THAT(rows.text_starts, ElementsAre(0, 4, 6));
  EXPECT_THAT(rows.rows, ElementsAre(1, 2, 4));
  EXPECT_THAT(rows.targets, ElementsAre(3, 4, 6));
  EXPECT_EQ(rows.max_length, 4);
}

}  // namespace
}  // namespace tritonrl::train
