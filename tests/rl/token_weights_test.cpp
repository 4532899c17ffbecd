#include "rl/token_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonrl::rl {
namespace {

using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;
using tokenizer::TokenClass;

std::vector<TokenClass> classes(std::size_t plan, std::size_t code) {
  std::vector<TokenClass> all(plan, TokenClass::kPlan);
  all.resize(plan + code, TokenClass::kCode);
  return all;
}

const std::vector<std::vector<TokenClass>> kBatch = {classes(1, 3), classes(2, 4)};
const std::vector<Advantage> kAdvantages = {{.plan = 2, .code = -1}, {.plan = -2, .code = 1}};

std::vector<TokenWeights> weights(const TokenWeightConfig& config) {
  return token_weights(kBatch, kAdvantages, config);
}

TEST(TokenWeights, GivesEachTokenTheAdvantageOfItsClass) {
  const auto found = weights({});
  EXPECT_THAT(found[0].advantages, ElementsAre(2, -1, -1, -1));
  EXPECT_THAT(found[1].advantages, ElementsAre(-2, -2, 1, 1, 1, 1));
}

TEST(TokenWeights, DividesByTheResponsesLengthForGrpo) {
  const auto found = weights({.alpha = 0.5, .denominator = Denominator::kResponse});
  EXPECT_THAT(found[0].scales, ElementsAre(DoubleEq(0.5 / 8), DoubleEq(1.0 / 8), DoubleEq(1.0 / 8), DoubleEq(1.0 / 8)));
  EXPECT_DOUBLE_EQ(found[1].scales.back(), 1.0 / 12);
}

TEST(TokenWeights, DividesByTheBatchsTokensForDapo) {
  const auto found = weights({.alpha = 1, .denominator = Denominator::kBatch});
  EXPECT_THAT(found[0].scales, Each(DoubleEq(0.1)));
  EXPECT_THAT(found[1].scales, Each(DoubleEq(0.1)));
}

TEST(TokenWeights, DividesByTheLimitForDrGrpo) {
  const auto found = weights({.alpha = 1, .denominator = Denominator::kMaxLength, .max_tokens = 50});
  EXPECT_THAT(found[1].scales, Each(DoubleEq(0.01)));
}

TEST(TokenWeights, CanDivideEachClassByItsOwnLength) {
  const auto grpo = weights({.alpha = 0.5, .class_mean = true});
  EXPECT_DOUBLE_EQ(grpo[0].scales.front(), 0.5 / 2);
  EXPECT_DOUBLE_EQ(grpo[0].scales.back(), 1.0 / 6);
  const auto dapo = weights({.alpha = 1, .denominator = Denominator::kBatch, .class_mean = true});
  EXPECT_DOUBLE_EQ(dapo[0].scales.front(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(dapo[0].scales.back(), 1.0 / 7);
}

}  // namespace
}  // namespace tritonrl::rl
