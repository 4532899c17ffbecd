#include "rl/token_weights.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::rl {
namespace {

using tokenizer::TokenClass;

struct ClassCounts {
  double plan = 0;
  double code = 0;

  double of(TokenClass token_class) const { return token_class == TokenClass::kPlan ? plan : code; }
  double all() const { return plan + code; }
};

ClassCounts count(const std::vector<TokenClass>& classes) {
  const auto plan = static_cast<double>(std::ranges::count(classes, TokenClass::kPlan));
  return {.plan = plan, .code = static_cast<double>(classes.size()) - plan};
}

}  // namespace

std::vector<TokenWeights> token_weights(std::span<const std::vector<TokenClass>> classes,
                                        std::span<const Advantage> advantages, const TokenWeightConfig& config) {
  base::check(classes.size() == advantages.size(), "an advantage for each response");
  base::check(!config.class_mean || config.denominator != Denominator::kMaxLength, "a class has no length of its own");
  ClassCounts batch;
  for (const auto& response : classes) {
    const ClassCounts counts = count(response);
    batch.plan += counts.plan;
    batch.code += counts.code;
  }
  const auto responses = static_cast<double>(classes.size());
  const auto denominator = [&](const ClassCounts& own, TokenClass token_class) {
    switch (config.denominator) {
      case Denominator::kResponse:
        return responses * (config.class_mean ? own.of(token_class) : own.all());
      case Denominator::kBatch:
        return config.class_mean ? batch.of(token_class) : batch.all();
      case Denominator::kMaxLength:
        return responses * static_cast<double>(config.max_tokens);
    }
    base::bug("every denominator was named");
  };

  std::vector<TokenWeights> weights(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const ClassCounts own = count(classes[i]);
    for (const TokenClass token_class : classes[i]) {
      const bool plan = token_class == TokenClass::kPlan;
      weights[i].advantages.push_back(plan ? advantages[i].plan : advantages[i].code);
      weights[i].scales.push_back((plan ? config.alpha : 1.0) / denominator(own, token_class));
    }
  }
  return weights;
}

}  // namespace tritonrl::rl
