#include "verify/stand_in.h"

#include <gtest/gtest.h>

namespace tritonrl::verify {
namespace {

task::Task task_of(std::vector<task::Dimension> sizes) {
  task::Task task;
  task.dims = std::move(sizes);
  return task;
}

TEST(QuickSizes, HalveTheLargestAndDoubleEachAlone) {
  const auto sizes = quick_sizes(task_of({{"batch", 16}, {"rows", 4096}, {"columns", 2048}}), 16);
  ASSERT_EQ(sizes.size(), 4);
  EXPECT_EQ(sizes[0], (task::Variant{{"batch", 16}, {"rows", 512}, {"columns", 1024}}));
  EXPECT_EQ(sizes[1], (task::Variant{{"batch", 16}, {"rows", 1024}, {"columns", 1024}}));
  EXPECT_EQ(sizes[2], (task::Variant{{"batch", 16}, {"rows", 512}, {"columns", 2048}}));
  EXPECT_EQ(sizes[3], (task::Variant{{"batch", 16}, {"rows", 1024}, {"columns", 2048}}));
}

TEST(QuickSizes, OneDimensionIsCheckedAtAThirdSize) {
  const auto sizes = quick_sizes(task_of({{"n", 1 << 20}}), 256);
  ASSERT_EQ(sizes.size(), 3);
  EXPECT_EQ(sizes[0][0].value, 4096);
  EXPECT_EQ(sizes[1][0].value, 8192);
  EXPECT_EQ(sizes[2][0].value, 12288);
}

TEST(QuickSizes, KeepDivisibilityAndAreNeverTiny) {
  for (const auto& variant : quick_sizes(task_of({{"n", 1000}, {"m", 4096}, {"k", 48}}), 1e9)) {
    EXPECT_NE(variant[0].value % 16, 0);
    EXPECT_EQ(variant[1].value % 16, 0);
    EXPECT_GE(variant[0].value, 64);
    EXPECT_EQ(variant[2].value, 48);
  }
  EXPECT_TRUE(quick_sizes(task_of({{"n", 100}}), 1e9).empty());
  EXPECT_TRUE(quick_sizes(task_of({}), 1e9).empty());
  EXPECT_TRUE(quick_sizes(task_of({{"n", 1 << 20}}), 1).empty());
}

}  // namespace
}  // namespace tritonrl::verify
