#include "train/policy_loss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"

namespace tritonrl::train {
namespace {

void check_sizes(const PolicyTokens& tokens, const PolicyLossConfig& config) {
  const std::size_t count = tokens.log_probs.size();
  for (const std::size_t size : {tokens.old_log_probs.size(), tokens.advantages.size(), tokens.scales.size(),
                                 tokens.classes.size(), tokens.sequences.size()}) {
    base::check(size == count, "spans of policy tokens differ in length");
  }
  base::check(!config.importance_cap || tokens.rollout_log_probs.size() == count,
              "importance weights without the rollout's log-probabilities");
  const bool no_reference = config.kl == 0 && tokens.reference_log_probs.empty();
  base::check(no_reference || tokens.reference_log_probs.size() == count,
              "a divergence without the reference's log-probabilities");
}

// exp(d) - d - 1, whose mean over samples is the divergence; never negative.
double k3(double difference) { return std::expm1(difference) - difference; }

// Tokens that share a ratio.
struct RatioGroup {
  double log_ratio = 0;  // mean
  double tokens = 0;
  double gradient = 0;  // of the loss by the mean log ratio
};

class Sum {
 public:
  Sum(const PolicyTokens& tokens, const PolicyLossConfig& config) : tokens_(tokens), config_(config) {
    result_.gradient.assign(tokens.log_probs.size(), 0);
    if (config.ratio == Ratio::kClass) find_groups();
  }

  PolicyLoss run() {
    for (std::size_t t = 0; t < tokens_.log_probs.size(); ++t) add(t);
    if (config_.ratio == Ratio::kClass) {
      for (std::size_t t = 0; t < tokens_.log_probs.size(); ++t) {
        const RatioGroup& group = group_of(t);
        result_.gradient[t] += group.gradient / group.tokens;
      }
    }
    return std::move(result_);
  }

 private:
  double log_ratio(std::size_t t) const { return tokens_.log_probs[t] - tokens_.old_log_probs[t]; }

  void find_groups() {
    for (std::size_t t = 0; t < tokens_.log_probs.size(); ++t) {
      RatioGroup& group = group_of(t);
      group.log_ratio += log_ratio(t);
      group.tokens += 1;
    }
    for (auto& [key, group] : groups_) group.log_ratio /= group.tokens;
  }

  RatioGroup& group_of(std::size_t t) { return groups_[{tokens_.sequences[t], tokens_.classes[t]}]; }

  void add(std::size_t t) {
    ClassSums& sums = result_.classes.at(tokens_.classes[t]);
    sums.tokens += 1;
    sums.old_kl += k3(-log_ratio(t));
    add_surrogate(t, sums);
    if (!tokens_.reference_log_probs.empty()) {
      const double difference = tokens_.reference_log_probs[t] - tokens_.log_probs[t];
      const double scale = config_.kl * tokens_.scales[t];
      sums.reference_kl += k3(difference);
      result_.loss += scale * k3(difference);
      result_.gradient[t] -= scale * std::expm1(difference);
    }
  }

  void add_surrogate(std::size_t t, ClassSums& sums) {
    const double importance = importance_weight(t);
    sums.importance += importance;
    const bool shared = config_.ratio == Ratio::kClass;
    const double ratio = std::exp(shared ? group_of(t).log_ratio : log_ratio(t));
    const double clipped = std::clamp(ratio, 1 - config_.clip_low, 1 + config_.clip_high);
    const double weight = importance * tokens_.scales[t] * tokens_.advantages[t];
    if (config_.surrogate == Surrogate::kWeighted) {
      result_.loss -= weight * clipped * tokens_.log_probs[t];
      result_.gradient[t] -= weight * clipped;
      sums.clipped += clipped != ratio ? 1 : 0;
      return;
    }
    const bool cut = clipped * weight < ratio * weight;
    result_.loss -= (cut ? clipped : ratio) * weight;
    sums.clipped += cut ? 1 : 0;
    if (!cut) (shared ? group_of(t).gradient : result_.gradient[t]) -= ratio * weight;
  }

  double importance_weight(std::size_t t) const {
    if (!config_.importance_cap) return 1;
    return std::min(std::exp(tokens_.old_log_probs[t] - tokens_.rollout_log_probs[t]), *config_.importance_cap);
  }

  const PolicyTokens& tokens_;
  const PolicyLossConfig& config_;
  std::map<std::pair<std::int32_t, std::uint8_t>, RatioGroup> groups_;
  PolicyLoss result_;
};

}  // namespace

ClassSums& ClassSums::operator+=(const ClassSums& other) {
  tokens += other.tokens;
  clipped += other.clipped;
  old_kl += other.old_kl;
  reference_kl += other.reference_kl;
  importance += other.importance;
  return *this;
}

PolicyLoss policy_loss(const PolicyTokens& tokens, const PolicyLossConfig& config) {
  check_sizes(tokens, config);
  return Sum(tokens, config).run();
}

}  // namespace tritonrl::train
