#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "rl/advantage.h"
#include "rl/reward.h"
#include "rl/token_weights.h"
#include "rollout/config.h"
#include "train/config.h"
#include "train/policy_loss.h"

namespace tritonrl::rl {

enum class LossKind : std::uint8_t { kGrpo, kDrGrpo, kDapo, kGspo, kCispo };

// The keys of a run's [rl], [rollout], [optimizer] and [run]; docs/training.md says what each does, docs/method.md why.
struct RlConfig {
  train::RunConfig run;
  rollout::RolloutConfig rollout;
  train::OptimizerConfig optimizer{.lr = 1e-6, .decay = train::Decay::kConstant};
  std::string model;
  std::string tasks;
  std::string prompt = "training";
  std::int64_t steps = 200;
  std::int64_t prompts = 32;  // a step
  std::int64_t group = 8;     // responses a prompt
  std::int64_t updates = 1;   // optimizer steps a step, each on its part of the groups
  std::vector<double> level_mix = {1, 0, 0};
  std::int64_t max_prompt_tokens = 2048;
  std::int64_t max_tokens = 16'384;  // of a response

  double temperature = 1;
  double top_p = 1;
  std::int64_t top_k = 0;
  double min_p = 0;

  RewardConfig reward;
  AdvantageConfig advantage;
  LossKind loss = LossKind::kGrpo;
  double alpha = 0.1;
  bool class_mean = false;
  std::optional<double> clip_low;  // what `loss` has, unless given
  std::optional<double> clip_high;
  double kl = 0;
  std::int64_t kl_every = 10;  // steps between measurements of the divergence from the start, where kl is 0; 0: never
  std::optional<double> importance_cap;
  std::int64_t resample = 0;  // DAPO's dynamic sampling: this many more rounds for groups without spread

  std::string dev;  // a suite that is only measured; may be empty
  std::int64_t dev_every = 20;
  std::int64_t dev_samples = 4;  // a task: the k of pass@k
  std::int64_t dev_tasks = 32;   // 0: all

  std::string verify_device = "auto";
  // For audits and dev tasks. A GPU's speeds calibrate what a verifier on the CPU models.
  std::string measure_device = "same";
  std::int64_t verify_jobs = 0;   // 0: what suits the device
  double verify_memory = 0.3;     // of a GPU that the model is on too: for the tensors of candidates and references
  std::int64_t verify_tries = 6;  // before a verifier that fails ends the run; the waits between them double
  double audit_share = 0.01;      // of accepted samples, judged again in full
  double audit_most = 0.01;       // disagreement that ends the run,
  std::int64_t audit_least = 3;   // once there were as many
  std::int64_t audit_every = 1;   // steps

  train::PolicyLossConfig policy_loss() const;
  TokenWeightConfig token_weights() const;
  AdvantageConfig advantages() const;
};

// Refuses what cannot work together, by name.
void declare(base::ConfigFields& fields, RlConfig& config);

}  // namespace tritonrl::rl
