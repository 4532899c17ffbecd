#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "model/qwen3.h"

namespace tritonrl::model {

struct LayerWeights {
  at::Tensor input_norm;  // [hidden]
  at::Tensor qkv;         // [queries | keys | values, hidden]
  at::Tensor q_norm;      // [head_dim]
  at::Tensor k_norm;
  at::Tensor o;          // [hidden, heads * head_dim]
  at::Tensor post_norm;  // [hidden]
  at::Tensor gate_up;    // [gate | up, hidden]
  at::Tensor down;       // [hidden, intermediate]
};

// The memory of a model: parameters, and the angles of its positions.
struct Qwen3::Weights {
  ModelConfig config;
  Place place;
  at::Tensor embedding;  // [vocab, hidden]
  std::vector<LayerWeights> layers;
  at::Tensor final_norm;
  at::Tensor lm_head;  // the embedding where they are tied
  std::vector<at::Tensor> parameters;
  at::Tensor cosines;  // [max_positions, head_dim / 2] fp32
  at::Tensor sines;

  // Uninitialised.
  Weights(const ModelConfig& config, const Place& place);
};

// A part of a parameter under its Hugging Face name.
struct NamedPart {
  std::string name;
  at::Tensor parameter;
  std::int64_t first_row = 0;
  std::int64_t rows = 0;

  at::Tensor of(const at::Tensor& whole) const { return whole.narrow(0, first_row, rows); }
};
// In the order of the model; tied embeddings are there once.
std::vector<NamedPart> named_parts(const Qwen3::Weights& weights);

at::ScalarType scalar_type_of(DType type);

}  // namespace tritonrl::model
