#include "train/learner.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/train/tiny_model.h"

namespace tritonrl::train {
namespace {

// Threads that wait for each other on a busy machine take a hundred times as long.
class OneThread : public testing::Environment {
  void SetUp() override { at::set_num_threads(1); }
};
const auto* const kOneThread = testing::AddGlobalTestEnvironment(new OneThread);

double mean_nll(const ScoredTokens& tokens, std::span<double> gradient, double all) {
  double sum = 0;
  for (std::size_t t = 0; t < gradient.size(); ++t) {
    sum -= tokens.log_probs[t] / all;
    gradient[t] = -1 / all;
  }
  return sum;
}

TokenObjective objective_of(const std::vector<TrainText>& texts) {
  double all = 0;
  for (const auto& text : texts) all += static_cast<double>(text.scored());
  return [all](const ScoredTokens& tokens, std::span<double> gradient) { return mean_nll(tokens, gradient, all); };
}

std::vector<at::Tensor> weights_of(const model::Qwen3& model) {
  std::vector<at::Tensor> copies;
  for (const auto& parameter : model.parameters()) copies.push_back(parameter.detach().clone());
  return copies;
}

TEST(Learner, LearnsWhatFollowsWhat) {
  auto model = model::Qwen3::random(tests::tiny_config(), 1, {});
  Learner learner(model, {}, {});
  const auto texts = tests::counting_texts(20);
  const double before = learner.evaluate(texts, objective_of(texts));
  for (int step = 0; step < 60; ++step) learner.learn(texts, objective_of(texts), 1e-2);
  EXPECT_NEAR(before, std::log(61.0), 0.3);
  EXPECT_LT(learner.evaluate(texts, objective_of(texts)), 0.3);
}

// Gradients add up over batches: how texts are packed must not matter but for rounding.
TEST(Learner, DoesNotDependOnHowTextsArePacked) {
  const auto texts = tests::counting_texts(12);
  std::vector<std::vector<at::Tensor>> results;
  for (const std::int64_t batch_tokens : {16, 40, 4096}) {
    auto model = model::Qwen3::random(tests::tiny_config(), 1, {});
    Learner learner(model, {.batch_tokens = batch_tokens}, {});
    LearnReport report;
    for (int step = 0; step < 3; ++step) report = learner.learn(texts, objective_of(texts), 1e-3);
    EXPECT_EQ(report.batches == 1, batch_tokens == 4096);
    results.push_back(weights_of(model));
  }
  for (const auto& other : {results[0], results[1]}) {
    for (std::size_t i = 0; i < other.size(); ++i) EXPECT_TRUE(at::allclose(other[i], results[2][i], 1e-3, 2e-5)) << i;
  }
}

TEST(Learner, TellsLogProbabilitiesTextByText) {
  auto model = model::Qwen3::random(tests::tiny_config(), 2, {});
  const auto texts = tests::counting_texts(7);
  const auto together = log_probs(model, texts, {.batch_tokens = 20});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto alone = log_probs(model, std::span(texts).subspan(i, 1), {}).front();
    ASSERT_EQ(alone.size(), static_cast<std::size_t>(texts[i].scored()));
    for (std::size_t t = 0; t < alone.size(); ++t) EXPECT_NEAR(alone[t], together[i][t], 1e-5);
  }
}

TEST(Learner, LeavesTheWeightsWhereTheLossIsNotFinite) {
  auto model = model::Qwen3::random(tests::tiny_config(), 1, {});
  Learner learner(model, {}, {});
  const auto before = weights_of(model);
  const auto texts = tests::counting_texts(3);
  const auto report = learner.learn(
      texts,
      [](const ScoredTokens&, std::span<double> gradient) {
        gradient[0] = 1;
        return std::numeric_limits<double>::infinity();
      },
      1.0);
  EXPECT_TRUE(report.skipped);
  const auto after = weights_of(model);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(at::equal(before[i], after[i]));
}

TEST(Learner, GivesEntropiesWhenAskedTo) {
  auto model = model::Qwen3::random(tests::tiny_config(), 1, {});
  Learner learner(model, {.entropy = true}, {});
  const auto texts = tests::counting_texts(2);
  learner.learn(
      texts,
      [](const ScoredTokens& tokens, std::span<double>) {
        EXPECT_EQ(tokens.entropies.size(), tokens.log_probs.size());
        EXPECT_NEAR(tokens.entropies[0], std::log(61.0), 0.2);
        return 0.0;
      },
      0);
}

}  // namespace
}  // namespace tritonrl::train
