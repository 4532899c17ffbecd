#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/model_config.h"

namespace tritonrl::model::testing {

// Grouped heads, and a head_dim that is not hidden / heads.
inline ModelConfig small_config() {
  ModelConfig config;
  config.vocab_size = 97;
  config.hidden_size = 48;
  config.intermediate_size = 80;
  config.layers = 3;
  config.heads = 4;
  config.kv_heads = 2;
  config.head_dim = 24;
  config.max_positions = 256;
  config.initializer_range = 0.2;  // so that attention is not flat
  return config;
}

inline std::vector<std::vector<std::int64_t>> random_texts(std::uint64_t seed, const std::vector<std::size_t>& lengths,
                                                           std::int64_t vocab_size) {
  base::Random random(seed);
  std::vector<std::vector<std::int64_t>> texts;
  for (const std::size_t length : lengths) {
    auto& text = texts.emplace_back();
    for (std::size_t i = 0; i < length; ++i) {
      text.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(vocab_size))));
    }
  }
  return texts;
}

}  // namespace tritonrl::model::testing
