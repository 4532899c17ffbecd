#include "rl/step_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/rl/parity_workshop.h"

namespace tritonrl::rl {
namespace {

std::map<std::string, double> named(const runlog::StepMetrics& metrics) {
  return {metrics.values.begin(), metrics.values.end()};
}

std::map<std::string, double> metrics_of(const StepResult& result) {
  return named(step_metrics(result, small_config(), nullptr, 1e9));
}

TEST(StepMetrics, TellWhatVerificationCost) {
  Workshop shop(small_config());
  shop.run(0);
  const auto metrics = metrics_of(shop.run(1));
  EXPECT_DOUBLE_EQ(metrics.at("verify/cost_s"), 0.5) << "of this step alone";
  EXPECT_DOUBLE_EQ(metrics.at("verify/cache_hits"), 0.25);
}

TEST(StepMetrics, SayHowFarRolloutAndTrainingAreApart) {
  for (const std::int64_t updates : {1, 2}) {
    RlConfig config = small_config();
    config.updates = updates;
    Workshop shop(config);
    StepResult result = shop.run(0);
    const double gap = metrics_of(result).at("rollout/log_prob_gap");
    EXPECT_GT(gap, 0) << updates;
    EXPECT_LT(gap, 1e-5) << updates;
    result.log_prob_gap_sum *= 3;
    EXPECT_DOUBLE_EQ(metrics_of(result).at("rollout/log_prob_gap"), 3 * gap) << updates;
  }
}

TEST(StepMetrics, AreNotNumbersWhereNothingWasMeasured) {
  const auto metrics = metrics_of({});
  EXPECT_TRUE(std::isnan(metrics.at("verify/cost_s")));
  EXPECT_TRUE(std::isnan(metrics.at("reward/correct")));
  EXPECT_TRUE(std::isnan(metrics.at("plan/entropy")));
}

}  // namespace
}  // namespace tritonrl::rl
