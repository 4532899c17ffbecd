#include "rl/advantage.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::rl {
namespace {

// Deviations from the mean of those that take part; their spread is the sample's, as in torch.std.
struct Centred {
  std::vector<double> deviations;
  double spread = 0;
};

Centred centre(const std::vector<double>& rewards, const std::vector<bool>& takes_part) {
  Centred result{.deviations = std::vector<double>(rewards.size(), 0)};
  double count = 0;
  double sum = 0;
  double low = 0;
  double high = 0;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    if (!takes_part[i]) continue;
    low = count == 0 ? rewards[i] : std::min(low, rewards[i]);
    high = count == 0 ? rewards[i] : std::max(high, rewards[i]);
    count += 1;
    sum += rewards[i];
  }
  // Equal rewards: their mean may be off by a rounding, which is no spread.
  if (low == high) return result;
  double squares = 0;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    if (!takes_part[i]) continue;
    result.deviations[i] = rewards[i] - sum / count;
    squares += result.deviations[i] * result.deviations[i];
  }
  result.spread = std::sqrt(squares / (count - 1));
  return result;
}

double overlong_penalty(const JudgedResponse& response, const AdvantageConfig& config) {
  if (config.overlong_penalty == 0) return 0;
  if (response.truncated) return config.overlong_penalty;
  const auto tokens = static_cast<double>(response.plan_tokens + response.code_tokens);
  const auto free = static_cast<double>(config.max_tokens - config.overlong_tokens);
  const double share = (tokens - free) / static_cast<double>(std::max<std::int64_t>(config.overlong_tokens, 1));
  return config.overlong_penalty * std::clamp(share, 0.0, 1.0);
}

Reward class_rewards(const JudgedResponse& response, const AdvantageConfig& config) {
  const Reward& reward = response.reward;
  const double penalty = overlong_penalty(response, config);
  if (config.credit == Credit::kUniform) {
    const double mixed = config.beta * reward.correct + (1 - config.beta) * reward.speedup - penalty;
    return {.correct = mixed, .speedup = mixed};
  }
  return {.correct = reward.correct + config.code_speed_credit * reward.speedup - penalty,
          .speedup = reward.speedup - penalty};
}

}  // namespace

GroupAdvantages advantages_of_group(std::span<const JudgedResponse> group, const AdvantageConfig& config) {
  std::vector<double> plan_rewards;
  std::vector<double> code_rewards;
  std::vector<bool> has_plan_term;
  for (const JudgedResponse& response : group) {
    const Reward rewards = class_rewards(response, config);
    plan_rewards.push_back(rewards.speedup);
    code_rewards.push_back(rewards.correct);
    has_plan_term.push_back(response.plan_tokens > 0 && !response.truncated &&
                            (config.plan_baseline == PlanBaseline::kGroup || response.correct));
  }
  const Centred plan = centre(plan_rewards, has_plan_term);
  const Centred code = centre(code_rewards, std::vector<bool>(group.size(), true));

  GroupAdvantages result{.plan_spread = plan.spread, .code_spread = code.spread};
  const auto divisor = [&](double spread) {
    return config.divide_by_spread ? std::max(spread, config.spread_floor) : 1.0;
  };
  for (std::size_t i = 0; i < group.size(); ++i) {
    result.responses.push_back(
        {.plan = plan.deviations[i] / divisor(plan.spread), .code = code.deviations[i] / divisor(code.spread)});
  }
  return result;
}

}  // namespace tritonrl::rl
