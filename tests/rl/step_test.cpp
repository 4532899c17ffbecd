#include "rl/step.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include "tests/rl/parity_workshop.h"

namespace tritonrl::rl {
namespace {

double mean_correct(const StepResult& result) {
  double sum = 0;
  double count = 0;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      sum += sample.reward.correct;
      count += 1;
    }
  }
  return sum / count;
}

TEST(Step, LearnsWhatIsRewarded) {
  for (const LossKind loss : {LossKind::kGrpo, LossKind::kDrGrpo, LossKind::kDapo, LossKind::kGspo, LossKind::kCispo}) {
    RlConfig config = small_config();
    config.loss = loss;
    Workshop shop(config);
    const double before = mean_correct(shop.run(0));
    double after = 0;  // mean of the last ten steps
    for (std::int64_t step = 1; step < 80; ++step) after += mean_correct(shop.run(step)) * (step >= 70 ? 0.1 : 0.0);
    EXPECT_LT(before, 0.75);
    EXPECT_GT(after, 0.9) << static_cast<int>(loss);
  }
}

TEST(Step, IsAFunctionOfWeightsConfigurationAndNumber) {
  Workshop first(small_config());
  Workshop second(small_config());
  first.run(0);
  second.run(0);
  const StepResult a = first.run(5);
  const StepResult b = second.run(5);
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    for (std::size_t i = 0; i < a.groups[g].samples.size(); ++i) {
      EXPECT_EQ(a.groups[g].samples[i].response.token_ids, b.groups[g].samples[i].response.token_ids);
    }
  }
  for (std::size_t i = 0; i < first.model.parameters().size(); ++i) {
    EXPECT_TRUE(at::equal(first.model.parameters()[i], second.model.parameters()[i]));
  }
}

TEST(Step, TrainingSeesTheProbabilitiesThatWereSampledFrom) {
  Workshop shop(small_config());
  shop.config.updates = 2;  // so that they are computed and kept
  const StepResult result = shop.run(0);
  std::size_t compared = 0;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      for (std::size_t t = 0; t < sample.old_log_probs.size(); ++t, ++compared) {
        EXPECT_NEAR(sample.old_log_probs[t], sample.response.log_probs[t], 1e-4);
      }
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(Step, MeasuresTheDivergenceFromTheStart) {
  Workshop shop(small_config());
  const model::Qwen3 start = Workshop::make_model(shop.tokenizer, 1);
  shop.reference = &start;
  shop.config.kl = 0.1;
  const StepResult first = shop.run(0);
  ASSERT_TRUE(first.reference_known);
  EXPECT_NEAR(first.classes[1].reference_kl, 0, 1e-6);
  EXPECT_GT(shop.run(1).classes[1].reference_kl, 1e-4);
}

TEST(Step, RewardsModelledSpeedInTheMeasureOfTheGpu) {
  Workshop shop(small_config());
  StepParts parts = shop.parts();
  parts.speed_factor = [] { return 0.5; };
  int right = 0;
  for (const Group& group : Step(shop.config, parts).sample(0).groups) {
    for (const Sample& sample : group.samples) {
      EXPECT_EQ(sample.reward.speedup, sample.outcome.correct ? 0.75 : 0);
      right += sample.outcome.correct ? 1 : 0;
    }
  }
  EXPECT_GT(right, 0);
}

TEST(Step, RewardsNoTruncatedResponse) {
  Workshop shop(small_config());
  shop.whole_responses = false;
  const StepResult result = shop.run(0);
  std::size_t truncated = 0;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      if (!sample.truncated()) continue;
      ++truncated;
      EXPECT_EQ(sample.reward.correct, 0);
      EXPECT_EQ(sample.reward.speedup, 0);
      EXPECT_EQ(sample.advantage.plan, 0);
      EXPECT_LE(sample.advantage.code, 0);
    }
  }
  EXPECT_GT(truncated, 20U);
}

TEST(Step, LearnsNothingFromATaskWhoseReferenceFails) {
  Workshop shop(small_config());
  shop.judge.broken_task = true;
  const at::Tensor before = shop.model.parameters()[0].detach().clone();
  const StepResult result = shop.run(0);
  EXPECT_FALSE(result.groups[0].judged);
  EXPECT_TRUE(at::equal(before, shop.model.parameters()[0].detach()));
}

TEST(Step, ReplacesGroupsWithoutSpreadWhenAskedTo) {
  RlConfig config = small_config();
  config.group = 2;
  config.resample = 3;
  Workshop shop(config);
  std::int64_t dropped = 0;
  std::size_t without = 0;
  for (std::int64_t step = 0; step < 5; ++step) {
    const StepResult result = shop.run(step);
    dropped += result.dropped_groups;
    EXPECT_EQ(result.groups.size(), 4U);
    for (const Group& group : result.groups) without += group.without_spread() ? 1 : 0;
  }
  EXPECT_GT(dropped, 3);
  EXPECT_LT(without, 6U);
}

}  // namespace
}  // namespace tritonrl::rl
