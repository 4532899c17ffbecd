#pragma once

#include <cstdint>

#include "model/model_config.h"

namespace tritonrl::train {

// Operations that one text's `tokens` take, of which `scored` are predicted. Multiply-adds count as two; attention
// looks at half of its square.
double forward_flops(const model::ModelConfig& model, std::int64_t tokens, std::int64_t scored);
// Forward and backward; recomputing is not counted.
double training_flops(const model::ModelConfig& model, std::int64_t tokens, std::int64_t scored);

}  // namespace tritonrl::train
