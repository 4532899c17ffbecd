#include "data/size_variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace tritonrl::data {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::Pair;

std::map<std::string, std::int64_t> values(std::map<std::string, std::int64_t> own, const task::Variant& variant) {
  for (const auto& each : variant) own[each.name] = each.value;
  return own;
}

TEST(SizeVariants, AreOddPrimeOneAndLarger) {
  task::Task task;
  task.dims = {{"M", 64}, {"N", 100}};
  const auto variants = find_variants(task, [](const task::Variant&) { return true; }, 5);
  ASSERT_EQ(variants.size(), 5U);
  EXPECT_EQ(variants[0], (task::Variant{{"M", 49}, {"N", 75}}));
  EXPECT_EQ(variants[1], (task::Variant{{"M", 61}, {"N", 97}}));
  EXPECT_EQ(variants[2], (task::Variant{{"M", 1}, {"N", 1}}));
  EXPECT_EQ(variants[3], (task::Variant{{"M", 129}, {"N", 201}}));
}

TEST(SizeVariants, AreTriedOneByOneWhereAllTogetherDoNotRun) {
  task::Task task;
  task.dims = {{"M", 64}, {"N", 100}};
  const auto runs = [](const task::Variant& variant) {  // N is as it is
    return values({{"M", 64}, {"N", 100}}, variant)["N"] == 100;
  };
  for (const auto& variant : find_variants(task, runs, 5)) {
    EXPECT_THAT(variant, ElementsAre(Field(&task::Dimension::name, "M")));
  }
}

TEST(SizeVariants, NothingIsFoundWhereNothingRuns) {
  task::Task task;
  task.dims = {{"M", 64}};
  EXPECT_TRUE(find_variants(task, [](const task::Variant&) { return false; }, 5).empty());
}

TEST(CoupleSizes, FindsLiteralsThatMeanOneSize) {
  const std::vector<task::LiteralSize> sizes = {{.name = "x_0", .value = 4, .literal = {0, 1}},
                                                {.name = "x_1", .value = 4, .literal = {2, 3}},
                                                {.name = "width", .value = 4, .literal = {4, 5}},
                                                {.name = "fixed", .value = 3, .literal = {6, 7}}};
  const auto runs = [](const task::Variant& variant) {
    auto size = values({{"x_0", 4}, {"x_1", 4}, {"width", 4}, {"fixed", 3}}, variant);
    return size["x_1"] == size["width"] && size["fixed"] == 3;
  };
  std::vector<std::pair<std::string, std::uint32_t>> found;
  for (const auto& size : couple_sizes(sizes, runs)) found.emplace_back(size.name, size.literal.begin);
  EXPECT_THAT(found, ElementsAre(Pair("x_0", 0), Pair("x_1", 2), Pair("x_1", 4)));
}

}  // namespace
}  // namespace tritonrl::data
