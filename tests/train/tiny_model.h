#pragma once

#include "model/qwen3.h"
#include "train/packing.h"

namespace tritonrl::tests {

inline model::ModelConfig tiny_config() {
  model::ModelConfig config;
  config.vocab_size = 61;
  config.hidden_size = 32;
  config.intermediate_size = 48;
  config.layers = 2;
  config.heads = 2;
  config.kv_heads = 1;
  config.head_dim = 16;
  config.max_positions = 128;
  config.tied_embeddings = true;
  config.dtype = model::DType::kFloat32;
  return config;
}

// Texts of various lengths with something in them to learn: each token follows from the one before.
inline std::vector<train::TrainText> counting_texts(int count) {
  std::vector<train::TrainText> texts;
  for (int i = 0; i < count; ++i) {
    train::TrainText text{.prompt_tokens = 2 + i % 3};
    for (int t = 0; t < 8 + i % 5; ++t) text.token_ids.push_back((i + 3 * t) % 61);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace tritonrl::tests
