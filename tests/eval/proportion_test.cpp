#include "eval/proportion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tritonrl::eval {
namespace {

// Against scipy.stats.binomtest(k, n).proportion_ci(method="wilson").
TEST(Proportion, HasWilsonsInterval) {
  const Interval most = proportion(187, 200);
  EXPECT_DOUBLE_EQ(most.value, 0.935);
  EXPECT_NEAR(most.low, 0.891980920700931, 1e-12);
  EXPECT_NEAR(most.high, 0.9616236453508471, 1e-12);
  const Interval all = proportion(10, 10);
  EXPECT_NEAR(all.low, 0.7224672001371109, 1e-12);
  EXPECT_DOUBLE_EQ(all.high, 1);
  EXPECT_DOUBLE_EQ(proportion(0, 10).low, 0);
}

TEST(Proportion, OfNothingIsNone) { EXPECT_TRUE(std::isnan(proportion(0, 0).value)); }

}  // namespace
}  // namespace tritonrl::eval
