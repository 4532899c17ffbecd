#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "train/optimizer.h"
#include "train/packing.h"

namespace tritonrl::model {
class Qwen3;
}

namespace tritonrl::train {

struct LearnerConfig {
  std::int64_t batch_tokens = 8192;  // computed at once
  double temperature = 1;            // of the log-probabilities
  bool entropy = false;
  std::int64_t recompute_layers = 0;  // from the first: memory for time
};

// Some texts' scored tokens, one text after the other in the order of `texts`.
struct ScoredTokens {
  std::span<const std::size_t> texts;  // numbers of the texts
  std::span<const double> log_probs;
  std::span<const double> entropies;  // empty unless asked for
};

// The loss of these tokens. Fills `gradient`, of the loss by each log-probability, which is zero before.
using TokenObjective = std::function<double(const ScoredTokens& tokens, std::span<double> gradient)>;

struct LearnReport {
  double loss = 0;  // the sum over all batches
  double gradient_norm = 0;
  bool skipped = false;  // loss or gradient was not finite: the weights are as before
  std::int64_t tokens = 0;
  std::int64_t batches = 0;
  double flops = 0;  // of forward and backward, recomputing not counted

  // Of several updates: sums, and the last norm.
  LearnReport& operator+=(const LearnReport& other);
};

// Turns texts and an objective over their tokens into updates of a model. The model must outlive it.
class Learner {
 public:
  Learner(model::Qwen3& model, const LearnerConfig& config, const UpdateConfig& optimizer);

  // One update. DeviceError where memory runs out, or the GPU fails.
  LearnReport learn(std::span<const TrainText> texts, const TokenObjective& objective, double lr);
  // An update was cut off: the weights are neither the old ones nor the new ones.
  bool torn() const { return torn_; }
  // The loss alone.
  double evaluate(std::span<const TrainText> texts, const TokenObjective& objective) const;

  const LearnerConfig& config() const { return config_; }
  model::Qwen3& model() { return model_; }
  Optimizer& optimizer() { return optimizer_; }

 private:
  model::Qwen3& model_;
  LearnerConfig config_;
  Optimizer optimizer_;
  bool torn_ = false;
};

// Log-probabilities of each text's scored tokens.
std::vector<std::vector<double>> log_probs(const model::Qwen3& model, std::span<const TrainText> texts,
                                           const LearnerConfig& config);

// Operations a second that a large product reaches on the model's device in its type: what shares of peak refer to.
double peak_flops(const model::Qwen3& model);

}  // namespace tritonrl::train
