#include "model/qwen3_weights.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>

#include "model/device_memory.h"
#include "model/rope_table.h"

namespace tritonrl::model {
namespace {

at::Tensor table_tensor(const std::vector<float>& values, std::int64_t columns, at::Device device) {
  return at::tensor(values, at::TensorOptions(at::kFloat)).view({-1, columns}).to(device);
}

}  // namespace

at::ScalarType scalar_type_of(DType type) {
  switch (type) {
    case DType::kFloat32:
      return at::kFloat;
    case DType::kBFloat16:
      return at::kBFloat16;
    case DType::kFloat16:
      return at::kHalf;
  }
  return at::kFloat;
}

Qwen3::Weights::Weights(const ModelConfig& model_config, const Place& model_place)
    : config(model_config), place(model_place) {
  if (place.device.is_cuda()) let_freed_memory_join();
  const auto options = at::TensorOptions(place.device).dtype(scalar_type_of(place.dtype));
  const auto parameter = [&](at::IntArrayRef sizes) {
    parameters.push_back(at::empty(sizes, options).requires_grad_());
    return parameters.back();
  };
  embedding = parameter({config.vocab_size, config.hidden_size});
  for (std::int64_t i = 0; i < config.layers; ++i) {
    LayerWeights layer;
    layer.input_norm = parameter({config.hidden_size});
    layer.qkv = parameter({config.qkv_rows(), config.hidden_size});
    layer.q_norm = parameter({config.head_dim});
    layer.k_norm = parameter({config.head_dim});
    layer.o = parameter({config.hidden_size, config.heads * config.head_dim});
    layer.post_norm = parameter({config.hidden_size});
    layer.gate_up = parameter({2 * config.intermediate_size, config.hidden_size});
    layer.down = parameter({config.hidden_size, config.intermediate_size});
    layers.push_back(layer);
  }
  final_norm = parameter({config.hidden_size});
  lm_head = config.tied_embeddings ? embedding : parameter({config.vocab_size, config.hidden_size});
  const RopeTable table = make_rope_table(config, config.max_positions);
  cosines = table_tensor(table.cosines, config.head_dim / 2, place.device);
  sines = table_tensor(table.sines, config.head_dim / 2, place.device);
}

std::vector<NamedPart> named_parts(const Qwen3::Weights& weights) {
  const auto& config = weights.config;
  std::vector<NamedPart> parts;
  const auto add = [&](const std::string& name, const at::Tensor& parameter) {
    parts.push_back({.name = name, .parameter = parameter, .first_row = 0, .rows = parameter.size(0)});
  };
  const auto add_rows = [&](const std::string& name, const at::Tensor& parameter, std::int64_t first,
                            std::int64_t rows) {
    parts.push_back({.name = name, .parameter = parameter, .first_row = first, .rows = rows});
  };
  add("model.embed_tokens.weight", weights.embedding);
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    const auto& layer = weights.layers[i];
    const std::string prefix = "model.layers." + std::to_string(i) + ".";
    const std::int64_t q_rows = config.heads * config.head_dim;
    const std::int64_t kv_rows = config.kv_heads * config.head_dim;
    add(prefix + "input_layernorm.weight", layer.input_norm);
    add_rows(prefix + "self_attn.q_proj.weight", layer.qkv, 0, q_rows);
    add_rows(prefix + "self_attn.k_proj.weight", layer.qkv, q_rows, kv_rows);
    add_rows(prefix + "self_attn.v_proj.weight", layer.qkv, q_rows + kv_rows, kv_rows);
    add(prefix + "self_attn.q_norm.weight", layer.q_norm);
    add(prefix + "self_attn.k_norm.weight", layer.k_norm);
    add(prefix + "self_attn.o_proj.weight", layer.o);
    add(prefix + "post_attention_layernorm.weight", layer.post_norm);
    add_rows(prefix + "mlp.gate_proj.weight", layer.gate_up, 0, config.intermediate_size);
    add_rows(prefix + "mlp.up_proj.weight", layer.gate_up, config.intermediate_size, config.intermediate_size);
    add(prefix + "mlp.down_proj.weight", layer.down);
  }
  add("model.norm.weight", weights.final_norm);
  if (!config.tied_embeddings) add("lm_head.weight", weights.lm_head);
  return parts;
}

}  // namespace tritonrl::model
