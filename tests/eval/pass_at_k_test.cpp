#include "eval/pass_at_k.h"

#include <gtest/gtest.h>

#include <vector>

namespace tritonrl::eval {
namespace {

TEST(PassAtK, IsTheShareForK1) { EXPECT_DOUBLE_EQ(pass_at_k(10, 3, 1), 0.3); }

TEST(PassAtK, HasTheValuesOfBinomialCoefficients) {
  EXPECT_NEAR(pass_at_k(10, 3, 5), 1 - 21.0 / 252, 1e-12);  // C(7,5) / C(10,5)
  EXPECT_EQ(pass_at_k(10, 0, 10), 0);
  EXPECT_EQ(pass_at_k(10, 1, 10), 1);
  EXPECT_EQ(pass_at_k(10, 8, 3), 1);
}

TEST(BestOfK, IsTheMeanForK1AndTheLargestForAll) {
  const std::vector<double> values = {0, 3, 1, 0};
  EXPECT_DOUBLE_EQ(best_of_k(values, 1), 1);
  EXPECT_DOUBLE_EQ(best_of_k(values, 4), 3);
}

// Pairs of {0, 1, 3}: 1, 3, 3.
TEST(BestOfK, IsTheMeanOverAllSubsets) { EXPECT_DOUBLE_EQ(best_of_k(std::vector<double>{0, 1, 3}, 2), 7.0 / 3); }

TEST(BestOfK, IsPassAtKForZerosAndOnes) {
  const std::vector<double> values = {0, 1, 0, 0, 1, 0, 0, 0};
  for (int k = 1; k <= 8; ++k) EXPECT_NEAR(best_of_k(values, k), pass_at_k(8, 2, k), 1e-12);
}

}  // namespace
}  // namespace tritonrl::eval
