#include "rollout/page_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tritonrl::rollout {
namespace {

using tokenizer::TokenId;

std::vector<TokenId> counted(TokenId from, std::size_t count) {
  std::vector<TokenId> tokens(count);
  std::iota(tokens.begin(), tokens.end(), from);
  return tokens;
}

TEST(PageTable, GivesEachPageOnceAndTakesItBack) {
  PageTable table(2, 4);
  const auto first = table.take();
  const auto second = table.take();
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_FALSE(table.take());
  table.release(*first);
  EXPECT_EQ(table.take(), first);
}

TEST(PageTable, KeepsAPageUntilItsLastHolderLetsGo) {
  PageTable table(1, 4);
  const Page page = *table.take();
  table.share(page);
  EXPECT_TRUE(table.is_shared(page));
  table.release(page);
  EXPECT_FALSE(table.take());
  table.release(page);
  EXPECT_TRUE(table.take());
}

TEST(PageTable, FindsFullPagesOfAnEqualPrefix) {
  PageTable table(8, 4);
  const auto tokens = counted(0, 10);
  const std::vector<Page> pages = {*table.take(), *table.take(), *table.take()};
  table.publish(tokens, pages);
  auto other = tokens;
  other[6] = 99;
  EXPECT_EQ(table.take_prefix(tokens), (std::vector<Page>{pages[0], pages[1]}));
  EXPECT_EQ(table.take_prefix(other), std::vector<Page>{pages[0]});
  EXPECT_TRUE(table.take_prefix(counted(1, 10)).empty());
}

TEST(PageTable, TellsEqualBlocksAfterDifferentBeginningsApart) {
  PageTable table(8, 2);
  const std::vector<Page> pages = {*table.take(), *table.take()};
  table.publish(std::vector<TokenId>{1, 2, 3, 4}, pages);
  EXPECT_TRUE(table.take_prefix(std::vector<TokenId>{3, 4}).empty());
  EXPECT_TRUE(table.take_prefix(std::vector<TokenId>{9, 9, 3, 4}).empty());
}

TEST(PageTable, FindsPublishedPagesAfterRelease) {
  PageTable table(3, 2);
  const auto tokens = counted(0, 2);
  const std::vector<Page> pages = {*table.take()};
  table.publish(tokens, pages);
  table.release(pages[0]);
  // Empty pages go first.
  EXPECT_NE(table.take(), pages[0]);
  EXPECT_NE(table.take(), pages[0]);
  EXPECT_EQ(table.take_prefix(tokens), pages);
  table.release(pages[0]);
  EXPECT_EQ(table.take(), pages[0]);
  EXPECT_TRUE(table.take_prefix(tokens).empty());
}

TEST(PageTable, ForgetsPrefixesOnRequest) {
  PageTable table(2, 2);
  const auto tokens = counted(0, 2);
  const std::vector<Page> pages = {*table.take()};
  table.publish(tokens, pages);
  table.forget_prefixes();
  EXPECT_TRUE(table.take_prefix(tokens).empty());
  table.release(pages[0]);
  EXPECT_EQ(table.available(), 2);
}

TEST(PageTable, TakesForgottenPagesBeforeThoseThatWereNeverUsed) {
  PageTable table(10, 2);
  const auto tokens = counted(1, 4);
  const std::vector<Page> used{*table.take(), *table.take()};
  table.publish(tokens, used);
  for (const Page page : used) table.release(page);
  table.forget_prefixes();
  std::vector<Page> taken{*table.take(), *table.take()};
  std::ranges::sort(taken);
  EXPECT_EQ(taken, used);
}

}  // namespace
}  // namespace tritonrl::rollout
