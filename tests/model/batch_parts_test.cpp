#include "model/batch_parts.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "tests/model/small_model.h"

namespace tritonrl::model {
namespace {

// Requests of so many tokens each, at the end of contexts of so many.
PagedBatch batch_of(const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& contexts) {
  std::vector<std::int32_t> starts{0};
  for (const std::int32_t count : tokens) starts.push_back(starts.back() + count);
  const std::int64_t total = starts.back();
  const auto requests = static_cast<std::int64_t>(tokens.size());
  return {.token_ids = at::arange(total, at::kLong),
          .positions = at::arange(total, at::kInt),
          .slots = at::arange(total, at::kInt),
          .query_starts = at::tensor(starts, at::kInt),
          .block_table = at::arange(3 * requests, at::kInt).view({requests, 3}),
          .context_lengths = at::tensor(contexts, at::kInt),
          .max_query_length = 5};
}

std::vector<std::int64_t> requests_of(const std::vector<PagedBatch>& parts) {
  std::vector<std::int64_t> counts;
  for (const PagedBatch& part : parts) counts.push_back(part.context_lengths.size(0));
  return counts;
}

using Counts = std::vector<std::int64_t>;
using Counts32 = std::vector<std::int32_t>;

TEST(BatchParts, HaveTheBatchsRequestsInOrder) {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> contexts;
  for (std::int32_t i = 0; i < 30; ++i) {
    tokens.push_back(1 + i % 4);
    contexts.push_back(10 + i);
  }
  const PagedBatch batch = batch_of(tokens, contexts);
  const auto parts = parts_of(batch, testing::small_config(), 3);
  ASSERT_EQ(parts.size(), 3U);
  const auto expect_whole = [&](at::Tensor PagedBatch::* member) {
    EXPECT_TRUE(at::equal(at::cat({parts[0].*member, parts[1].*member, parts[2].*member}), batch.*member));
  };
  for (const auto member : {&PagedBatch::token_ids, &PagedBatch::positions, &PagedBatch::slots,
                            &PagedBatch::block_table, &PagedBatch::context_lengths}) {
    expect_whole(member);
  }
  for (const PagedBatch& part : parts) {
    const auto* starts = part.query_starts.const_data_ptr<std::int32_t>();
    EXPECT_EQ(starts[0], 0);
    EXPECT_EQ(starts[part.context_lengths.size(0)], part.token_ids.size(0));
    EXPECT_EQ(part.max_query_length, 5);
  }
}

TEST(BatchParts, AreOfTheSameWork) {
  const ModelConfig config = testing::small_config();
  EXPECT_EQ(requests_of(parts_of(batch_of(Counts32(32, 1), Counts32(32, 100)), config, 2)), (Counts{16, 16}));
  EXPECT_EQ(requests_of(parts_of(batch_of(Counts32(33, 1), Counts32(33, 100)), config, 4)), (Counts{8, 8, 9, 8}));
  // Those at the front look at more.
  std::vector<std::int32_t> contexts(64, 10);
  std::fill(contexts.begin(), contexts.begin() + 32, 1000);
  EXPECT_LT(requests_of(parts_of(batch_of(Counts32(64, 1), contexts), config, 2)).front(), 26);
}

TEST(BatchParts, AreOneWhereSharesWouldBeSmallOrUneven) {
  const ModelConfig config = testing::small_config();
  EXPECT_EQ(parts_of(batch_of(Counts32(15, 1), Counts32(15, 100)), config, 2).size(), 1U);
  EXPECT_EQ(parts_of(batch_of({1}, {1}), config, 2).size(), 1U);
  EXPECT_EQ(parts_of(batch_of({500}, {500}), config, 2).size(), 1U);
  EXPECT_EQ(parts_of(batch_of({500, 20}, {500, 20}), config, 2).size(), 1U);
  EXPECT_EQ(parts_of(batch_of(Counts32(32, 1), Counts32(32, 100)), config, 1).size(), 1U);
}

}  // namespace
}  // namespace tritonrl::model
