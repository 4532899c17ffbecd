#pragma once

#include <cstdint>

namespace tritonrl::tokenizer {

// A token's row in a model's embedding.
using TokenId = std::int32_t;

}  // namespace tritonrl::tokenizer
