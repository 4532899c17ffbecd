#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rl/advantage.h"
#include "tokenizer/token_classes.h"

namespace tritonrl::rl {

// By what a response's terms are divided. N responses in the batch, of which n of a given one's tokens are of a class.
enum class Denominator : std::uint8_t {
  kResponse,   // GRPO: N * the response's tokens
  kBatch,      // DAPO: the batch's tokens
  kMaxLength,  // Dr.GRPO: N * the most tokens a response may have
};

struct TokenWeightConfig {
  double alpha = 0.1;  // a plan token's term is multiplied by this
  Denominator denominator = Denominator::kResponse;
  bool class_mean = false;  // each class is divided by its own tokens; not with kMaxLength
  std::int64_t max_tokens = 0;
};

// For each of a response's tokens, what training needs: nothing of why.
struct TokenWeights {
  std::vector<double> advantages = {};
  std::vector<double> scales = {};
};

// `classes` and `advantages` have an item for each response of the batch, all groups together.
std::vector<TokenWeights> token_weights(std::span<const std::vector<tokenizer::TokenClass>> classes,
                                        std::span<const Advantage> advantages, const TokenWeightConfig& config);

}  // namespace tritonrl::rl
