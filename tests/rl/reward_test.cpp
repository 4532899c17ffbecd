#include "rl/reward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::rl {
namespace {

using base::Json;
using testing::DoubleEq;
using testing::ElementsAre;

Outcome right(double speedup, double half_width = 0) {
  return {.valid = true,
          .compiled = true,
          .correct = true,
          .speedup = speedup,
          .speedup_low = speedup - half_width,
          .speedup_high = speedup + half_width};
}

std::vector<double> speedups(const std::vector<Outcome>& group, const RewardConfig& config = {}) {
  std::vector<double> values;
  for (const Reward& reward : rewards_of_group(group, config)) values.push_back(reward.speedup);
  return values;
}

TEST(Reward, IsAGateAndNoSum) {
  const std::vector<Outcome> group = {right(1.5),
                                      {.valid = true, .compiled = true},
                                      {.valid = false, .compiled = true, .correct = false, .speedup = 3}};
  const auto rewards = rewards_of_group(group, {});
  EXPECT_EQ(rewards[0].correct, 1);
  EXPECT_EQ(rewards[0].speedup, 1.5);
  for (const std::size_t wrong : {1U, 2U}) {
    EXPECT_EQ(rewards[wrong].correct, 0);
    EXPECT_EQ(rewards[wrong].speedup, 0);
  }
}

TEST(Reward, OfSpeedIsCapped) {
  EXPECT_THAT(speedups({right(7), right(2.5), right(1)}), ElementsAre(2, 2, 1));
  EXPECT_THAT(speedups({right(7), right(2.5)}, {.speedup_cap = 3}), ElementsAre(3, 2.5));
}

TEST(Reward, OfSpeedupsWithinTwoPercentIsTheirMean) {
  EXPECT_THAT(speedups({right(1.0), right(1.01), right(1.5)}), ElementsAre(DoubleEq(1.005), DoubleEq(1.005), 1.5));
  EXPECT_THAT(speedups({right(1.0), right(1.05)}), ElementsAre(1.0, 1.05));
}

// 1.00 ties with 1.015 and that with 1.03, but the fastest decides: else a long row of small steps would be one tie.
TEST(Reward, TiesDoNotChain) {
  EXPECT_THAT(speedups({right(1.0), right(1.015), right(1.03)}), ElementsAre(1.0, DoubleEq(1.0225), DoubleEq(1.0225)));
}

TEST(Reward, OfSpeedupsWithOverlappingIntervalsIsTheirMean) {
  EXPECT_THAT(speedups({right(1.0, 0.2), right(1.3, 0.15)}), ElementsAre(DoubleEq(1.15), DoubleEq(1.15)));
  EXPECT_THAT(speedups({right(1.0, 0.1), right(1.3, 0.1)}), ElementsAre(1.0, 1.3));
}

TEST(Reward, OfWhatIsInfinitelySlowIsZero) { EXPECT_THAT(speedups({right(0), right(0)}), ElementsAre(0, 0)); }

TEST(Reward, GivesCreditForCompilingOnlyWhenAskedTo) {
  const std::vector<Outcome> group = {{.valid = true, .compiled = true}, {.valid = false, .compiled = true}};
  EXPECT_EQ(rewards_of_group(group, {})[0].correct, 0);
  const auto rewards = rewards_of_group(group, {.compiled_credit = 0.1});
  EXPECT_EQ(rewards[0].correct, 0.1);
  EXPECT_EQ(rewards[1].correct, 0);
}

TEST(Outcome, ReadsAVerdict) {
  const Json verdict = {{"accepted", true},  {"valid", true},
                        {"compiled", true},  {"correct", true},
                        {"reason", nullptr}, {"speedup", {{"value", 1.84}, {"low", 1.8}, {"high", 1.9}}}};
  const Outcome outcome = outcome_of(verdict, {});
  EXPECT_TRUE(outcome.correct);
  EXPECT_EQ(outcome.speedup, 1.84);
  EXPECT_EQ(outcome.speedup_low, 1.8);
}

TEST(Outcome, WithoutTheGateIsThatOfTheResultsAlone) {
  const Json cheat = {{"accepted", false}, {"valid", false},       {"compiled", true},
                      {"correct", true},   {"reason", "fallback"}, {"speedup", {{"value", 1.2}}}};
  EXPECT_FALSE(outcome_of(cheat, {}).correct);
  EXPECT_EQ(outcome_of(cheat, {}).speedup, 0);
  const Outcome rewarded = outcome_of(cheat, {}, Gate::kOff);
  EXPECT_TRUE(rewarded.correct);
  EXPECT_EQ(rewarded.speedup, 1.2);
  const Json wrong = {{"accepted", false}, {"valid", true}, {"correct", false}, {"speedup", {{"value", 1.2}}}};
  EXPECT_FALSE(outcome_of(wrong, {}, Gate::kOff).correct);
  EXPECT_EQ(outcome_of(wrong, {}, Gate::kOff).speedup, 0);
}

TEST(Reward, ForSpeedIsShuffledAmongTheRightOnes) {
  const std::vector<Outcome> group = {right(0.5), {.valid = true, .compiled = true}, right(1), right(1.5), right(1.9)};
  const auto rewards = rewards_of_group(group, {});
  bool moved = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    auto shuffled = rewards;
    shuffle_speedups(shuffled, group, base::Random(seed));
    EXPECT_EQ(shuffled[1].speedup, 0);
    std::vector<double> values;
    for (std::size_t i = 0; i < group.size(); ++i) {
      EXPECT_EQ(shuffled[i].correct, rewards[i].correct);
      moved = moved || shuffled[i].speedup != rewards[i].speedup;
      values.push_back(shuffled[i].speedup);
    }
    EXPECT_THAT(values, testing::UnorderedElementsAre(0, 0.5, 1, 1.5, 1.9));
  }
  EXPECT_TRUE(moved);
}

TEST(Outcome, OfARejectionHasNoSpeed) {
  const Json verdict = {{"accepted", false},
                        {"valid", true},
                        {"compiled", nullptr},
                        {"reason", "wrong-result"},
                        {"speedup", {{"value", 9.0}}}};
  const Outcome outcome = outcome_of(verdict, {});
  EXPECT_FALSE(outcome.correct);
  EXPECT_EQ(outcome.speedup, 0);
  EXPECT_EQ(outcome.reason, "wrong-result");
}

TEST(Outcome, IsNeverMadeOfAMachinesFailure) {
  EXPECT_THROW(outcome_of(Json{{"schema", 1}, {"error", "no memory"}, {"retryable", true}}, {}), base::InputError);
}

}  // namespace
}  // namespace tritonrl::rl
