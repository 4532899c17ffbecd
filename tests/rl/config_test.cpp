#include "rl/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::rl {
namespace {

using testing::HasSubstr;

RlConfig read(const std::string& rl) {
  const auto source =
      base::ConfigSource::from_text("[run]\nfolder = \"r\"\n[rl]\nmodel = \"m\"\ntasks = \"t\"\n" + rl, "rl.toml");
  RlConfig config;
  source.read([&](base::ConfigFields& fields) { declare(fields, config); });
  return config;
}

std::string problem(const std::string& rl) {
  try {
    read(rl);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RlConfig, HasThePapersValues) {
  const RlConfig config = read("");
  EXPECT_EQ(config.alpha, 0.1);
  EXPECT_EQ(config.optimizer.lr, 1e-6);
  EXPECT_EQ(config.prompts, 32);
  EXPECT_EQ(config.reward.speedup_cap, 2);
}

TEST(RlConfig, EachLossHasItsOwnClipAndDenominator) {
  EXPECT_EQ(read("loss = \"dapo\"").policy_loss().clip_high, 0.28);
  EXPECT_EQ(read("loss = \"dapo\"").token_weights().denominator, Denominator::kBatch);
  EXPECT_EQ(read("loss = \"dr_grpo\"").token_weights().denominator, Denominator::kMaxLength);
  EXPECT_EQ(read("loss = \"gspo\"").policy_loss().ratio, train::Ratio::kClass);
  EXPECT_EQ(read("loss = \"cispo\"").policy_loss().surrogate, train::Surrogate::kWeighted);
  EXPECT_EQ(read("clip_low = 0.1").policy_loss().clip_low, 0.1);
}

TEST(RlConfig, RefusesWhatCannotWork) {
  EXPECT_THAT(problem("top_p = 0.9"), HasSubstr("importance_cap"));
  EXPECT_EQ(problem("top_p = 0.9\nimportance_cap = 2.0"), "");
  EXPECT_THAT(problem("temperature = 0"), HasSubstr("equal responses"));
  EXPECT_THAT(problem("temperature = 0.7"), HasSubstr("importance_cap"));
  EXPECT_EQ(problem("temperature = 0.7\nimportance_cap = 2.0"), "");
  EXPECT_THAT(problem("top_p = 1.5\nimportance_cap = 2.0"), HasSubstr("at most 1"));
  EXPECT_THAT(problem("importance_cap = 0.0"), HasSubstr("more than 0"));
  EXPECT_THAT(problem("clip_low = 1.2"), HasSubstr("at most 1"));
  EXPECT_THAT(problem("compiled_credit = 1.0"), HasSubstr("right kernel"));
  EXPECT_THAT(problem("verify_device = \"gpu\""), HasSubstr("none of auto, cpu, cuda"));
  EXPECT_THAT(problem("verify_memory = 0.7"), HasSubstr("nothing for the weights"));
  EXPECT_EQ(problem("verify_memory = 0.7\n[rollout]\nmemory_fraction = 0.2"), "");
  EXPECT_THAT(problem("[rollout]\nmax_sequences = 0"), HasSubstr("between 1 and 4096"));
  EXPECT_THAT(problem("resample = 64"), HasSubstr("less than 64"));
  EXPECT_THAT(problem("loss = \"dr_grpo\"\nclass_mean = true"), HasSubstr("class_mean"));
  EXPECT_THAT(problem("group = 1"), HasSubstr("at least 2"));
  EXPECT_THAT(problem("updates = 3"), HasSubstr("divide"));
  EXPECT_THAT(problem("level_mix = [0, 0]"), HasSubstr("level_mix"));
  EXPECT_THAT(problem("alhpa = 1"), HasSubstr("did you mean 'rl.alpha'"));
  EXPECT_THAT(problem("overlong_tokens = 20000"), HasSubstr("max_tokens"));
}

TEST(RlConfig, IsWrittenSoThatItReadsBack) {
  RlConfig config = read("loss = \"dapo\"\nimportance_cap = 2.0\nlevel_mix = [0.5, 0.5]");
  const auto declaration = [&](base::ConfigFields& fields) { declare(fields, config); };
  const std::string text = base::config_text(declaration);
  RlConfig again;
  base::ConfigSource::from_text(text, "x").read([&](base::ConfigFields& fields) { declare(fields, again); });
  EXPECT_EQ(base::config_text([&](base::ConfigFields& fields) { declare(fields, again); }), text);
}

}  // namespace
}  // namespace tritonrl::rl
