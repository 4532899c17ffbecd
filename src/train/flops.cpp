#include "train/flops.h"

namespace tritonrl::train {

double forward_flops(const model::ModelConfig& model, std::int64_t tokens, std::int64_t scored) {
  const auto as_double = [](std::int64_t value) { return static_cast<double>(value); };
  const std::int64_t attention_width = model.heads * model.head_dim;
  const double per_token =
      2 * as_double(model.hidden_size) * as_double(model.qkv_rows() + attention_width + 3 * model.intermediate_size);
  const double attention = 2 * as_double(attention_width) * as_double(tokens) * as_double(tokens);
  return as_double(model.layers) * (per_token * as_double(tokens) + attention) +
         2 * as_double(model.hidden_size * model.vocab_size) * as_double(scored);
}

double training_flops(const model::ModelConfig& model, std::int64_t tokens, std::int64_t scored) {
  return 3 * forward_flops(model, tokens, scored);
}

}  // namespace tritonrl::train
