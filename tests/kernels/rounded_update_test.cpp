#include "kernels/rounded_update.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/parallel_rows.h"

namespace tritonrl::kernels::cpu {
namespace {

using Halves = std::vector<std::uint16_t>;

std::uint16_t half_of(float value) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U); }
float value_of(std::uint16_t half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16U); }

double mean_of(const Halves& halves) {
  double sum = 0;
  for (const std::uint16_t half : halves) sum += value_of(half);
  return sum / static_cast<double>(halves.size());
}

// In bf16 the neighbours of 1 are 1/128 above and 1/256 below.
TEST(RoundedSum, IsRightOnAverageWhereEachSumIsRounded) {
  Halves sums(1 << 16, half_of(1));
  const Halves added(sums.size(), half_of(1.0F / 1024));
  rounded_sum({.sum = sums.data(), .added = added.data(), .count = 1 << 16, .seed = 3});
  EXPECT_NEAR(mean_of(sums), 1 + 1.0 / 1024, 1e-4);
  for (const std::uint16_t sum : sums) EXPECT_TRUE(sum == half_of(1) || sum == half_of(1 + 1.0F / 128));
}

TEST(RoundedSum, IsTheSameForTheSameSeedOnAnyNumberOfThreads) {
  const auto summed = [](std::uint64_t seed, int threads) {
    Halves sums(100'003, half_of(1));
    const Halves added(sums.size(), half_of(1.0F / 512));
    const int before = thread_count();
    set_thread_count(threads);
    rounded_sum({.sum = sums.data(), .added = added.data(), .count = 100'003, .seed = seed});
    set_thread_count(before);
    return sums;
  };
  EXPECT_EQ(summed(1, 1), summed(1, 2));
  EXPECT_NE(summed(1, 1), summed(2, 1));
}

TEST(RoundedSum, KeepsWhatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  Halves sums = {half_of(infinity), half_of(-infinity), 0x7fff};
  const Halves added(3, half_of(1));
  rounded_sum({.sum = sums.data(), .added = added.data(), .count = 3, .seed = 1});
  EXPECT_EQ(value_of(sums[0]), infinity);
  EXPECT_EQ(value_of(sums[1]), -infinity);
  EXPECT_TRUE(std::isnan(value_of(sums[2])));
}

// Against the equations in fp64, for either type of state.
TEST(RoundedAdamW, FollowsItsEquationsOnAverage) {
  constexpr std::int64_t kCount = 1 << 14;
  for (const DType state : {DType::kFloat32, DType::kBFloat16}) {
    Halves weights(kCount, half_of(0.5));
    std::vector<float> moments(kCount, 0);  // of either type: all zeros
    std::vector<float> squares(kCount, 0);
    double expected = 0.5;
    double m = 0;
    double v = 0;
    for (int update = 1; update <= 8; ++update) {
      const Halves gradients(kCount, half_of(0.25F * static_cast<float>(update)));
      const double moment_correction = 1 - std::pow(0.9, update);
      const double square_correction = 1 - std::pow(0.99, update);
      rounded_adamw({.weights = weights.data(),
                     .gradients = gradients.data(),
                     .moments = moments.data(),
                     .squares = squares.data(),
                     .count = kCount,
                     .gradient_scale = 0.5,
                     .lr = 1e-3F,
                     .beta1 = 0.9F,
                     .beta2 = 0.99F,
                     .eps = 1e-8F,
                     .weight_decay = 0.1F,
                     .moment_correction = static_cast<float>(moment_correction),
                     .square_correction = static_cast<float>(square_correction),
                     .seed = static_cast<std::uint64_t>(update),
                     .state = state});
      const double g = 0.125 * update;
      m = 0.9 * m + 0.1 * g;
      v = 0.99 * v + 0.01 * g * g;
      expected -= 1e-3 * (0.1 * expected + m / moment_correction / (std::sqrt(v / square_correction) + 1e-8));
    }
    EXPECT_NEAR(mean_of(weights), expected, 5e-5) << "state " << static_cast<int>(state);
  }
}

}  // namespace
}  // namespace tritonrl::kernels::cpu
