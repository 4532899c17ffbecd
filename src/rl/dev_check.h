#pragma once

#include <cstdint>
#include <vector>

#include "rl/judge.h"
#include "rl/problem.h"
#include "rollout/engine.h"
#include "runlog/metrics.h"

namespace tritonrl::rl {

// How a model does on tasks that it is not trained on. Every measurement draws with the same seeds: what changes is the
// model. Nothing of it reaches training.
class DevCheck {
 public:
  // Of `problems`, config.dev_tasks that the run's seed decides; none: nothing is ever due.
  DevCheck(const RlConfig& config, std::vector<Problem> problems, const tokenizer::Tokenizer& tokenizer);

  // After `step` steps: before the first, after each dev_every, and after the last.
  bool due(std::int64_t step) const;

  // Adds dev/pass@1, dev/pass@k and their like. HostError where the judge's machine fails.
  void measure(rollout::Engine& engine, Judge& judge, runlog::StepMetrics& metrics) const;

 private:
  RlConfig config_;
  std::vector<Problem> problems_;
  const tokenizer::Tokenizer& tokenizer_;
  std::uint64_t seed_;
};

}  // namespace tritonrl::rl
