#include "rl/advantage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tritonrl::rl {
namespace {

JudgedResponse response(double correct, double speedup) {
  return {
      .reward = {.correct = correct, .speedup = speedup}, .correct = correct > 0, .plan_tokens = 3, .code_tokens = 5};
}

TEST(Advantage, IsTheDistanceToTheGroupsMeanOfEachClass) {
  const std::vector<JudgedResponse> group = {response(1, 2), response(1, 1), response(0, 0), response(0, 0)};
  const auto found = advantages_of_group(group, {});
  EXPECT_DOUBLE_EQ(found.responses[0].plan, 1.25);
  EXPECT_DOUBLE_EQ(found.responses[1].plan, 0.25);
  EXPECT_DOUBLE_EQ(found.responses[2].plan, -0.75);
  EXPECT_DOUBLE_EQ(found.responses[0].code, 0.5);
  EXPECT_DOUBLE_EQ(found.responses[3].code, -0.5);
}

TEST(Advantage, DividesByASpreadOfAtLeastTheFloor) {
  const std::vector<JudgedResponse> wide = {response(1, 2), response(0, 0)};
  const auto found = advantages_of_group(wide, {.divide_by_spread = true});
  EXPECT_DOUBLE_EQ(found.responses[0].plan, 1 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(found.responses[0].code, 0.5 / std::sqrt(0.5));
  const std::vector<JudgedResponse> narrow = {response(1, 1.05), response(1, 1.0)};
  EXPECT_NEAR(advantages_of_group(narrow, {.divide_by_spread = true}).responses[0].plan, 0.025 / 0.1, 1e-12);
}

TEST(Advantage, OfTheUniformBaselineIsTheSameForBothClasses) {
  const std::vector<JudgedResponse> group = {response(1, 2), response(1, 1), response(0, 0)};
  const auto found = advantages_of_group(group, {.credit = Credit::kUniform, .beta = 0.3});
  const double mean = (0.3 + 0.7 * 2 + 0.3 + 0.7) / 3;
  EXPECT_DOUBLE_EQ(found.responses[0].plan, 0.3 + 1.4 - mean);
  for (const Advantage& advantage : found.responses) EXPECT_DOUBLE_EQ(advantage.plan, advantage.code);
}

TEST(Advantage, OfHrdIsTheUniformOneWhereBothRewardsAreEqual) {
  std::vector<JudgedResponse> group = {response(1, 1), response(0, 0), response(1, 1), response(0, 0)};
  group[3].truncated = true;
  const auto hierarchical = advantages_of_group(group, {});
  const auto uniform = advantages_of_group(group, {.credit = Credit::kUniform, .beta = 0.7});
  for (std::size_t i = 0; i < group.size(); ++i) {
    EXPECT_DOUBLE_EQ(hierarchical.responses[i].plan, uniform.responses[i].plan);
    EXPECT_DOUBLE_EQ(hierarchical.responses[i].code, uniform.responses[i].code);
  }
}

TEST(Advantage, AGroupIsWithoutSpreadOnlyIfBothRewardsHaveNone) {
  const std::vector<JudgedResponse> all_right = {response(1, 1.2), response(1, 1.8)};
  EXPECT_FALSE(advantages_of_group(all_right, {}).without_spread());
  EXPECT_EQ(advantages_of_group(all_right, {}).responses[0].code, 0);
  const std::vector<JudgedResponse> equal(3, response(1, 0.1));
  EXPECT_TRUE(advantages_of_group(equal, {}).without_spread());
  for (const Advantage& advantage : advantages_of_group(equal, {}).responses) EXPECT_EQ(advantage.plan, 0);
}

TEST(Advantage, OfATruncatedResponseIsOnItsCodeAlone) {
  std::vector<JudgedResponse> group = {response(1, 2), response(1, 1), response(0, 0)};
  group[2].truncated = true;
  const auto found = advantages_of_group(group, {});
  EXPECT_EQ(found.responses[2].plan, 0);
  EXPECT_DOUBLE_EQ(found.responses[2].code, -2.0 / 3);
  EXPECT_DOUBLE_EQ(found.responses[0].plan, 0.5);
}

TEST(Advantage, OfAResponseWithoutPlanDoesNotTouchTheOthersPlans) {
  std::vector<JudgedResponse> group = {response(1, 2), response(1, 1), response(0, 0)};
  group[2].plan_tokens = 0;
  const auto found = advantages_of_group(group, {});
  EXPECT_DOUBLE_EQ(found.responses[0].plan, 0.5);
  EXPECT_EQ(found.responses[2].plan, 0);
  EXPECT_DOUBLE_EQ(found.responses[2].code, -2.0 / 3);
}

TEST(Advantage, OfPlansCanBeAmongCorrectResponsesOnly) {
  const std::vector<JudgedResponse> group = {response(1, 2), response(1, 1), response(0, 0)};
  const auto found = advantages_of_group(group, {.plan_baseline = PlanBaseline::kCorrect});
  EXPECT_DOUBLE_EQ(found.responses[0].plan, 0.5);
  EXPECT_DOUBLE_EQ(found.responses[1].plan, -0.5);
  EXPECT_EQ(found.responses[2].plan, 0);
}

TEST(Advantage, OfCodeCanHaveAShareOfTheSpeed) {
  const std::vector<JudgedResponse> group = {response(1, 2), response(1, 1)};
  const auto found = advantages_of_group(group, {.code_speed_credit = 0.1});
  EXPECT_NEAR(found.responses[0].code, 0.05, 1e-12);
}

TEST(Advantage, PunishesTheLastTokensBeforeTheLimit) {
  std::vector<JudgedResponse> group = {response(1, 1), response(1, 1)};
  group[1].code_tokens = 92;
  const auto found = advantages_of_group(group, {.overlong_penalty = 1, .overlong_tokens = 10, .max_tokens = 100});
  EXPECT_DOUBLE_EQ(found.responses[1].code, -0.25);
  EXPECT_DOUBLE_EQ(found.responses[0].plan, 0.25);
}

TEST(Advantage, OfOneResponseIsNothing) {
  const auto found = advantages_of_group(std::vector<JudgedResponse>{response(1, 2)}, {.divide_by_spread = true});
  EXPECT_EQ(found.responses[0].plan, 0);
  EXPECT_EQ(found.responses[0].code, 0);
  EXPECT_TRUE(found.without_spread());
}

}  // namespace
}  // namespace tritonrl::rl
