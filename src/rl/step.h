#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "rl/config.h"
#include "rl/judge.h"
#include "rl/level_mix.h"
#include "rl/problem.h"
#include "rl/sample.h"
#include "rollout/engine.h"
#include "tokenizer/tokenizer.h"
#include "train/learner.h"

namespace tritonrl::rl {

struct StepParts {
  const std::vector<Problem>& problems;
  const tokenizer::Tokenizer& tokenizer;
  rollout::Engine& engine;
  Judge& judge;
  train::Learner& learner;
  const model::Qwen3* reference = nullptr;  // the model at the start; null: no divergence from it is known
  std::function<void(std::string phase)> at = [](const std::string&) {};  // for whoever watches
  std::function<double()> speed_factor = [] { return 1.0; };              // of modelled speedups (calibration.h)
  std::function<void()> before_update = [] {};
  std::function<void()> after_update = [] {};
};

// What a step did, for records and the progress line.
struct StepResult {
  std::vector<Group> groups = {};   // what was learned from
  std::int64_t dropped_groups = 0;  // without spread, and replaced
  train::LearnReport learned = {};
  std::array<train::ClassSums, train::kTokenClasses> classes = {};
  std::array<double, train::kTokenClasses> entropy_sums = {};
  double log_prob_gap_sum = 0;  // over scored tokens: how far rollout and training are apart before the update
  bool reference_known = false;
  double lr = 0;
  verify::VerifierCosts verifier = {};
  std::int64_t tokens = 0;  // of all prompts and responses
  double rollout_s = 0;
  double verify_s = 0;  // that the step waited for verdicts after the last response
  double audit_s = 0;   // where there was an audit
  double update_s = 0;
};

// Prompts, responses, verdicts, rewards, advantages, an update: the whole of a step. A function of the weights, the
// configuration and the step's number.
class Step {
 public:
  Step(const RlConfig& config, const StepParts& parts);

  // All but the update: the weights stay as they are.
  StepResult sample(std::int64_t step);
  void learn(std::int64_t step, StepResult& result);

 private:
  std::vector<Group> roll_out(const std::vector<std::size_t>& tasks, std::uint64_t seed, StepResult& result);
  void reward(Group& group, std::uint64_t seed) const;
  void measure_log_probs(std::int64_t step, StepResult& result);
  void update(std::span<Group> groups, StepResult& result);
  std::vector<Sample*> learned_from(std::span<Group> groups) const;
  std::vector<train::TrainText> texts_of(std::span<Sample* const> samples) const;

  RlConfig config_;
  StepParts parts_;
  std::vector<LevelMix> mixes_;  // of each round of sampling
  train::LrSchedule schedule_;
};

}  // namespace tritonrl::rl
