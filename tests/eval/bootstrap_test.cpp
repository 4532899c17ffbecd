#include "eval/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace tritonrl::eval {
namespace {

// Each task's gain is its seed's and noise of its own.
std::vector<std::vector<double>> gains(const std::vector<double>& of_seeds, std::size_t tasks, double noise,
                                       base::Random& random) {
  std::vector<std::vector<double>> all;
  for (const double of_seed : of_seeds) {
    auto& seed = all.emplace_back();
    for (std::size_t n = 0; n < tasks; ++n) seed.push_back(of_seed + noise * random.normal());
  }
  return all;
}

std::vector<TaskTerm> pooled(const std::vector<std::vector<double>>& seeds) {
  std::vector<TaskTerm> tasks;
  for (const auto& seed : seeds) {
    for (const double gain : seed) tasks.push_back({.numerator = gain});
  }
  return tasks;
}

double width(const Interval& interval) { return interval.high - interval.low; }

TEST(BootstrapSeeds, OfOneSeedIsTheBootstrapOverItsTasks) {
  base::Random random(3);
  const auto one = gains({0.2}, 50, 1, random);
  const Interval nested = bootstrap_seeds(one);
  const Interval plain = bootstrap(pooled(one));
  EXPECT_DOUBLE_EQ(nested.value, plain.value);
  EXPECT_DOUBLE_EQ(nested.low, plain.low);
  EXPECT_DOUBLE_EQ(nested.high, plain.high);
}

TEST(BootstrapSeeds, IsWiderThanOverTasksAloneWhereSeedsDiffer) {
  base::Random random(4);
  const auto seeds = gains({-0.3, 0.0, 0.1, 0.4, 0.8}, 200, 0.5, random);
  const Interval nested = bootstrap_seeds(seeds);
  const Interval tasks_alone = bootstrap(pooled(seeds));
  EXPECT_NEAR(nested.value, tasks_alone.value, 1e-12) << "seeds of as many tasks: the same mean";
  EXPECT_GT(width(nested), 3 * width(tasks_alone));
}

TEST(BootstrapSeeds, CountsASeedOnceHoweverManyTasksItHas) {
  EXPECT_DOUBLE_EQ(bootstrap_seeds(std::vector<std::vector<double>>{{1}, {0, 0, 0}}).value, 0.5);
}

TEST(BootstrapSeeds, CoversAKnownDifferenceAboutAsOftenAsItClaims) {
  base::Random random(5);
  constexpr int kExperiments = 200;
  constexpr double kTruth = 0.1;
  int covered = 0;
  for (int n = 0; n < kExperiments; ++n) {
    std::vector<double> of_seeds(10);
    for (double& seed : of_seeds) seed = kTruth + 0.1 * random.normal();
    const auto seeds = gains(of_seeds, 40, 0.5, random);
    const Interval interval = bootstrap_seeds(seeds, {.resamples = 400, .seed = static_cast<std::uint64_t>(n)});
    if (interval.low <= kTruth && kTruth <= interval.high) ++covered;
  }
  EXPECT_GE(covered, 0.88 * kExperiments);
}

TEST(BootstrapSeeds, OfNoSeedIsNoNumber) {
  const Interval none = bootstrap_seeds({});
  EXPECT_TRUE(std::isnan(none.value) && std::isnan(none.low) && std::isnan(none.high));
}

}  // namespace
}  // namespace tritonrl::eval
