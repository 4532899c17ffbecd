#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rl/reward.h"

namespace tritonrl::rl {

enum class Credit : std::uint8_t {
  kHierarchical,  // plan tokens get R_speedup, code tokens R_correct (HRD)
  kUniform,       // all get beta * R_correct + (1 - beta) * R_speedup
};

enum class PlanBaseline : std::uint8_t {
  kGroup,
  kCorrect,  // the mean over correct responses, and only those have a plan term: the plan answers for speed alone
};

struct AdvantageConfig {
  Credit credit = Credit::kHierarchical;
  double beta = 0.3;
  PlanBaseline plan_baseline = PlanBaseline::kGroup;
  double code_speed_credit = 0;  // this much of R_speedup on top of a code token's reward
  bool divide_by_spread = false;
  double spread_floor = 0.1;  // the least divisor
  // DAPO's soft punishment: up to this much off both rewards over the last `overlong_tokens` before the limit; 0 is
  // off.
  double overlong_penalty = 0;
  std::int64_t overlong_tokens = 0;
  std::int64_t max_tokens = 0;
};

// A response as its rewards see it.
struct JudgedResponse {
  Reward reward;
  bool correct = false;
  std::int64_t plan_tokens = 0;
  std::int64_t code_tokens = 0;
  bool truncated = false;  // no end within the limit: there is no plan term
};

struct Advantage {
  double plan = 0;
  double code = 0;
};

struct GroupAdvantages {
  std::vector<Advantage> responses = {};
  double plan_spread = 0;  // standard deviation of the class's rewards over those with a term
  double code_spread = 0;

  bool without_spread() const { return plan_spread == 0 && code_spread == 0; }
};

// A = r - mean of the group, for each class. Responses without plan tokens, and truncated ones, have no plan term and
// do not count in its mean; all count in the code's, those without code with what they earned: nothing.
GroupAdvantages advantages_of_group(std::span<const JudgedResponse> group, const AdvantageConfig& config);

}  // namespace tritonrl::rl
