#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rl/config.h"
#include "rl/step.h"
#include "rl/step_metrics.h"
#include "tokenizer/tokenizer.h"
#include "verify/verifier.h"

namespace tritonrl::rl {

struct LoopParts {
  std::vector<Problem> problems;
  std::vector<Problem> dev_problems;  // may be empty
  const tokenizer::Tokenizer& tokenizer;
  verify::VerifierConfig verifier;  // depth and secret are the loop's
  Agreement agreement;              // may be empty
  std::function<bool()> stop;       // asked after each step
};

struct LoopResult {
  std::int64_t steps = 0;
  bool stopped = false;
};

// Reinforcement learning, from the last checkpoint in the run's folder or from config.model. A kill at any moment loses
// at most the steps since the last checkpoint, and on the CPU the resumed run ends with the same weights to the bit.
LoopResult run_rl(const RlConfig& config, LoopParts parts);

}  // namespace tritonrl::rl
