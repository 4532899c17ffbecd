#include "base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace tritonrl::base {
namespace {

TEST(Philox, MatchesTheKnownAnswers) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, StartsWithTheFirstBlockOfItsStream) {
  Random random(0);
  EXPECT_EQ(random.next_u32(), 0x6627e8d5U);
  EXPECT_EQ(random.next_u32(), 0xe169c58dU);
  EXPECT_EQ(random.next_u64(), 0xbc57ac4c9b00dbd8U);
}

TEST(Random, ResumesFromThreeIntegers) {
  Random whole(7, 3);
  for (int i = 0; i < 29; ++i) whole.next_u32();
  Random resumed(7, 3, whole.position());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(resumed.next_u32(), whole.next_u32());
}

TEST(Random, GivesEachSeedAndStreamItsOwnNumbers) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) {
      Random random(seed, stream);
      for (int i = 0; i < 10; ++i) EXPECT_TRUE(seen.insert(random.next_u64()).second);
    }
  }
}

TEST(Random, StaysBelowItsBoundWithoutBias) {
  Random random(1);
  std::vector<int> counts(6);
  for (int i = 0; i < 60'000; ++i) ++counts.at(random.below(6));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0U);
  // Two thirds of the range: taking a remainder would give low values twice as often.
  const std::uint64_t bound = (std::uint64_t{1} << 63U) + (std::uint64_t{1} << 62U);
  int low = 0;
  for (int i = 0; i < 30'000; ++i) low += random.below(bound) < bound / 3 ? 1 : 0;
  EXPECT_NEAR(low, 10'000, 400);
}

TEST(Random, ReachesBothEndsOfARange) {
  Random random(2);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.between(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(random.between(5, 5), 5);
  random.between(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}

TEST(Random, DrawsUniformsOfTheRightMoments) {
  Random random(3);
  double sum = 0.0;
  double float_sum = 0.0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.uniform();
    const float y = random.uniform_float();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    ASSERT_GE(y, 0.0F);
    ASSERT_LT(y, 1.0F);
    sum += x;
    float_sum += static_cast<double>(y);
  }
  EXPECT_NEAR(sum / 1e5, 0.5, 0.005);
  EXPECT_NEAR(float_sum / 1e5, 0.5, 0.005);
}

TEST(Random, DrawsNormalsOfTheRightMoments) {
  Random random(4);
  double sum = 0.0;
  double squares = 0.0;
  double cubes = 0.0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    cubes += x * x * x;
  }
  EXPECT_NEAR(sum / 1e5, 0.0, 0.02);
  EXPECT_NEAR(squares / 1e5, 1.0, 0.03);
  EXPECT_NEAR(cubes / 1e5, 0.0, 0.1);
}

TEST(Random, ShufflesIntoEveryOrderAlike) {
  Random random(5);
  std::vector<int> counts(6);
  for (int i = 0; i < 60'000; ++i) {
    std::vector<int> items = {0, 1, 2};
    random.shuffle(std::span(items));
    ASSERT_TRUE(std::is_permutation(items.begin(), items.end(), std::vector<int>{0, 1, 2}.begin()));
    ++counts.at(static_cast<std::size_t>(items[0]) * 2 + (items[1] > items[2] ? 1 : 0));
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  std::vector<int> none;
  random.shuffle(std::span(none));
}

TEST(RandomDeathTest, RefusesAnEmptyRange) {
  EXPECT_DEATH(Random(0).below(0), "no value");
  EXPECT_DEATH(Random(0).between(2, 1), "low <= high");
}

}  // namespace
}  // namespace tritonrl::base
