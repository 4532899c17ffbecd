#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// The clipped policy objective and its gradient by log-probability, in closed form. What the tokens are worth
// (advantages) and how much each counts (scales) comes from the caller; docs/method.md has the equations.
namespace tritonrl::train {

enum class Ratio : std::uint8_t {
  kToken,  // new over old probability of each token: GRPO, Dr.GRPO, DAPO
  kClass,  // its geometric mean over a sequence's tokens of one class: GSPO
};

enum class Surrogate : std::uint8_t {
  kClipped,   // min(ratio * A, clip(ratio) * A)
  kWeighted,  // clip(ratio) * A * log-probability, the first factor a constant: CISPO
};

struct PolicyLossConfig {
  Ratio ratio = Ratio::kToken;
  Surrogate surrogate = Surrogate::kClipped;
  double clip_low = 0.2;  // the ratio counts down to 1 - clip_low
  double clip_high = 0.2;
  double kl = 0;  // coefficient of the divergence from the reference
  // Weight of each term: old over rollout probability, at most this. Off: the rollout's are taken for the old ones.
  std::optional<double> importance_cap = {};
};

inline constexpr std::size_t kTokenClasses = 2;

// T response tokens of several sequences; all spans have T items, but those that are not needed may be empty.
struct PolicyTokens {
  std::span<const double> log_probs;            // under the weights that are trained
  std::span<const double> old_log_probs;        // under the weights before the update; constants
  std::span<const double> rollout_log_probs;    // as sampled; with importance_cap
  std::span<const double> reference_log_probs;  // with kl; else only counted
  std::span<const double> advantages;
  std::span<const double> scales;           // class factor over denominator
  std::span<const std::uint8_t> classes;    // below kTokenClasses
  std::span<const std::int32_t> sequences;  // any number, the same for all tokens of a sequence
};

// Sums over the tokens of one class.
struct ClassSums {
  double tokens = 0;
  double clipped = 0;       // tokens whose gradient the clip removed or, with kWeighted, changed
  double old_kl = 0;        // of the divergence between old and new weights, k3 estimator
  double reference_kl = 0;  // likewise from the reference
  double importance = 0;    // of importance weights

  ClassSums& operator+=(const ClassSums& other);
};

struct PolicyLoss {
  double loss = 0;
  std::vector<double> gradient = {};  // of the loss by each token's log-probability
  std::array<ClassSums, kTokenClasses> classes = {};
};

PolicyLoss policy_loss(const PolicyTokens& tokens, const PolicyLossConfig& config);

}  // namespace tritonrl::train
