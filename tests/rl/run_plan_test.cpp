#include "rl/run_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "rollout/local_engine.h"
#include "tests/base/temporary_folder.h"
#include "tests/train/tiny_model.h"

namespace tritonrl::rl {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr std::int64_t kGib = std::int64_t{1} << 30;
const train::PlannedDevice kH200{.memory_bytes = 140 * kGib};

// ModelConfig's defaults are those of Qwen3-8B. As in recipes/qwen3-8b.toml.
RlConfig rl_8b() {
  RlConfig config;
  config.run.recompute_layers = 36;
  config.run.batch_tokens = 18'432;
  config.optimizer.stochastic_rounding = true;
  config.kl_every = 0;
  config.verify_memory = 0.06;
  config.rollout.memory_fraction = 0.12;
  return config;
}

std::int64_t bytes_of(const train::MemoryMoment& moment, const std::string& name) {
  for (const auto& entry : moment.entries) {
    if (entry.name == name) return entry.bytes;
  }
  return 0;
}

const train::MemoryMoment& moment_of(const train::RunPlan& plan, const std::string& name) {
  for (const auto& moment : plan.memory.moments) {
    if (moment.name == name) return moment;
  }
  throw std::runtime_error("no such moment: " + name);
}

std::string refusal(const RlConfig& config) {
  return tests::message_of<base::InputError>([&] { check_rl_fits(config, model::ModelConfig(), kH200); });
}

bool fits(const RlConfig& config) { return plan_rl(config, model::ModelConfig(), kH200).memory.fits(); }

TEST(RlPlan, TheCacheIsTheEnginesToTheByte) {
  const auto model = model::Qwen3::random(tests::tiny_config(), 1, {});
  RlConfig config;
  config.max_prompt_tokens = 40;
  config.max_tokens = 60;
  config.rollout.memory_bytes = 200'000;
  const rollout::LocalEngine engine(model, nullptr, rollout_config(config, model.config()));
  const auto plan =
      plan_rl(config, model.config(), {.gpu = false, .dtype = model::DType::kFloat32, .memory_bytes = kGib});
  EXPECT_EQ(bytes_of(moment_of(plan, "rollout"), "rollout cache"), engine.counts().cache_bytes);
}

TEST(RlPlan, CacheAndVerifierAreThereInRolloutAlone) {
  const auto plan = plan_rl(rl_8b(), model::ModelConfig(), kH200);
  for (const char* name : {"rollout cache", "verifier's tensors"}) {
    EXPECT_GT(bytes_of(moment_of(plan, "rollout"), name), 0) << name;
    EXPECT_EQ(bytes_of(moment_of(plan, "backward"), name), 0) << name;
  }
  EXPECT_EQ(bytes_of(moment_of(plan, "rollout"), "gradients"), 0);
}

TEST(RlPlan, AVerifierOnTheCpuTakesNothingOfTheGpu) {
  RlConfig config = rl_8b();
  config.verify_device = "cpu";
  EXPECT_EQ(bytes_of(moment_of(plan_rl(config, model::ModelConfig(), kH200), "rollout"), "verifier's tensors"), 0);
}

TEST(RlPlan, AVerifierThatOnlyMeasuresStaysAtAllMoments) {
  RlConfig config = rl_8b();
  config.verify_device = "cpu";
  config.measure_device = "cuda";
  for (const auto& moment : plan_rl(config, model::ModelConfig(), kH200).memory.moments) {
    EXPECT_GT(bytes_of(moment, "verifier's tensors"), 0) << moment.name;
  }
}

TEST(RlPlan, AReferenceIsThereAllTheTimeWhereADivergenceIsMeasured) {
  RlConfig config = rl_8b();
  for (const auto& moment : plan_rl(config, model::ModelConfig(), kH200).memory.moments) {
    EXPECT_EQ(bytes_of(moment, "reference model"), 0) << moment.name;
  }
  config.kl_every = 10;
  for (const auto& moment : plan_rl(config, model::ModelConfig(), kH200).memory.moments) {
    EXPECT_EQ(bytes_of(moment, "reference model"), bytes_of(moment, "weights") + bytes_of(moment, "position tables"));
  }
}

TEST(RlPlan, TheLargestShareOfTheCacheThatFitsIsNamed) {
  RlConfig config = rl_8b();
  config.rollout.memory_fraction = 0.5;
  EXPECT_THAT(refusal(config), HasSubstr("(rollout)"));
  EXPECT_THAT(refusal(config), HasSubstr("its largest part: rollout cache, 70.00 GiB"));
  EXPECT_THAT(refusal(config), EndsWith("this would fit: rollout.memory_fraction = 0.27"));
  config.rollout.memory_fraction = 0.27;
  EXPECT_TRUE(fits(config));
  config.rollout.memory_fraction = 0.28;
  EXPECT_FALSE(fits(config));
}

TEST(RlPlan, AReferenceThatIsOnlyMeasuredWithGoesBeforeTheCache) {
  RlConfig config = rl_8b();
  config.kl_every = 10;
  config.rollout.memory_fraction = 0.25;
  EXPECT_THAT(refusal(config), EndsWith("this would fit: rl.kl_every = 0"));
  config.kl = 0.001;
  EXPECT_THAT(refusal(config), EndsWith("this would fit: rollout.memory_fraction = 0.16"));
}

TEST(RlPlan, ACacheIsNeverMadeTooSmallForOneText) {
  RlConfig config = rl_8b();
  config.verify_memory = 0.6;
  EXPECT_THAT(refusal(config), EndsWith("this would fit: rl.verify_memory = 0.21"));
}

TEST(RlPlan, StepsThatNoMachineComputesAreRefused) {
  RlConfig config = rl_8b();
  config.prompts = std::int64_t{1} << 40;
  config.group = std::int64_t{1} << 40;
  EXPECT_THAT(refusal(config), HasSubstr("more than any machine computes"));
}

}  // namespace
}  // namespace tritonrl::rl
