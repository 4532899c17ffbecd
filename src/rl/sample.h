#pragma once

#include <cstddef>
#include <vector>

#include "base/json.h"
#include "rl/advantage.h"
#include "rl/reward.h"
#include "rl/token_weights.h"
#include "rollout/request.h"
#include "tokenizer/token_classes.h"

namespace tritonrl::rl {

// A response on its way through a step. All of a prompt's stand side by side.
struct Sample {
  std::size_t task = 0;  // of the suite
  rollout::Response response = {};
  std::vector<tokenizer::TokenClass> classes = {};
  base::Json verdict = {};
  base::Json audit = {};  // a second verdict, where one was asked for
  Outcome outcome = {};
  Reward reward = {};
  Advantage advantage = {};
  TokenWeights weights = {};
  std::vector<double> old_log_probs = {};        // where the weights change within the step
  std::vector<double> reference_log_probs = {};  // where the divergence from the start is wanted

  bool truncated() const { return response.finish == rollout::Finish::kLength; }
};

struct Group {
  std::vector<Sample> samples = {};
  double plan_spread = 0;
  double code_spread = 0;
  bool judged = true;  // false: the task's own reference failed, and nothing is learned from it

  bool without_spread() const { return plan_spread == 0 && code_spread == 0; }
};

}  // namespace tritonrl::rl
