#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "rl/config.h"
#include "rl/judge.h"
#include "rl/problem.h"
#include "rl/step_metrics.h"
#include "tokenizer/tokenizer.h"

namespace tritonrl::rl {

struct LoopParts {
  std::vector<Problem> problems;
  std::vector<Problem> dev_problems;  // may be empty
  const tokenizer::Tokenizer& tokenizer;
  std::function<std::unique_ptr<Judge>(Purpose purpose)> make_judge;
  Agreement agreement;         // may be empty
  std::function<bool()> stop;  // asked after each step
};

struct LoopResult {
  std::int64_t steps = 0;
  bool stopped = false;
};

// Reinforcement learning, from the last checkpoint in the run's folder or from config.model. A kill at any moment loses
// at most the steps since the last checkpoint, and on the CPU the resumed run ends with the same weights to the bit.
// HostError where a judge fails for good, or the audit does: then every finished step is saved.
LoopResult run_rl(const RlConfig& config, LoopParts parts);

}  // namespace tritonrl::rl
