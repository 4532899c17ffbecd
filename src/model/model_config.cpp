#include "model/model_config.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

namespace tritonrl::model {
namespace {

using base::InputError;
using base::Json;
using base::JsonFields;

constexpr std::int64_t kMostOfAnything = std::int64_t{1} << 31;  // sizes are multiplied, never past 64 bits

constexpr std::array<std::pair<std::string_view, RopeType>, 4> kRopeTypes = {{{"default", RopeType::kDefault},
                                                                              {"linear", RopeType::kLinear},
                                                                              {"yarn", RopeType::kYarn},
                                                                              {"llama3", RopeType::kLlama3}}};

struct DTypeName {
  std::string_view name;
  DType type;
};
constexpr std::array<DTypeName, 8> kDTypeNames = {{{"float32", DType::kFloat32},
                                                   {"bfloat16", DType::kBFloat16},
                                                   {"float16", DType::kFloat16},
                                                   {"fp32", DType::kFloat32},
                                                   {"bf16", DType::kBFloat16},
                                                   {"fp16", DType::kFloat16},
                                                   {"float", DType::kFloat32},
                                                   {"half", DType::kFloat16}}};

RopeType rope_type_named(const std::string& name, JsonFields& fields) {
  for (const auto& [known, type] : kRopeTypes) {
    if (known == name) return type;
  }
  if (name == "dynamic" || name == "longrope") {
    fields.refuse("rope_type", "'" + name +
                                   "' lets a token's angles depend on the longest text of its batch, which "
                                   "this program does not do; use default, linear, yarn or llama3");
  }
  fields.refuse("rope_type", "unknown type '" + name + "'; known are default, linear, yarn and llama3");
}

// `rope_parameters` holds everything; before it there were `rope_scaling` and `rope_theta` beside it.
RopeConfig read_rope(JsonFields& model, const base::Place& where, std::int64_t max_positions) {
  RopeConfig rope;
  rope.theta = model.optional_number("rope_theta").value_or(10000.0);
  rope.original_max_positions = model.optional_integer("original_max_position_embeddings").value_or(max_positions);
  const Json* newer = model.optional_value("rope_parameters");
  const Json* older = model.optional_value("rope_scaling");
  const Json* given = newer != nullptr ? newer : older;
  if (given == nullptr) return rope;
  const char* key = newer != nullptr ? "rope_parameters" : "rope_scaling";
  if (!given->is_object()) model.refuse_type(key, "an object", *given);
  if (given->contains("full_attention")) model.refuse(key, "angles that differ between layers are not supported");

  JsonFields fields(*given, where);
  auto name = fields.optional_text("rope_type");
  if (!name) name = fields.optional_text("type");
  rope.type = rope_type_named(name.value_or("default"), fields);
  rope.theta = fields.optional_number("rope_theta").value_or(rope.theta);
  if (fields.optional_number("partial_rotary_factor").value_or(1) != 1) {
    fields.refuse("partial_rotary_factor", "only 1 is supported");
  }
  const auto factor = fields.optional_number("factor");
  if (rope.type != RopeType::kDefault && !factor) fields.refuse("factor", "is needed for this rope_type");
  rope.factor = factor.value_or(1);
  rope.original_max_positions =
      fields.optional_integer("original_max_position_embeddings").value_or(rope.original_max_positions);
  rope.attention_factor = fields.optional_number("attention_factor");
  rope.mscale = fields.optional_number("mscale");
  rope.mscale_all_dim = fields.optional_number("mscale_all_dim");
  rope.beta_fast = fields.optional_number("beta_fast").value_or(rope.beta_fast);
  rope.beta_slow = fields.optional_number("beta_slow").value_or(rope.beta_slow);
  rope.truncate = fields.optional_boolean("truncate").value_or(rope.truncate);
  rope.low_freq_factor = fields.optional_number("low_freq_factor").value_or(rope.low_freq_factor);
  rope.high_freq_factor = fields.optional_number("high_freq_factor").value_or(rope.high_freq_factor);
  return rope;
}

void refuse_other_architectures(JsonFields& fields) {
  const auto type = fields.optional_text("model_type");
  if (type && *type != "qwen3") {
    fields.refuse("model_type", "is '" + base::printable(*type) + "'; this program knows dense Qwen3 ('qwen3') alone");
  }
  const Json* names = fields.optional_value("architectures");
  if (names == nullptr) {
    if (!type) fields.refuse("model_type", "is missing; this program knows dense Qwen3 ('qwen3') alone");
    return;
  }
  if (!names->is_array()) fields.refuse_type("architectures", "an array of names", *names);
  for (const auto& name : *names) {
    if (name != "Qwen3ForCausalLM") {
      fields.refuse("architectures",
                    "has " + base::printable(name.dump()) + "; this program knows Qwen3ForCausalLM alone");
    }
  }
}

void refuse_what_is_not_done(JsonFields& fields) {
  if (fields.optional_boolean("attention_bias").value_or(false)) {
    fields.refuse("attention_bias", "biases are not supported");
  }
  if (const auto act = fields.optional_text("hidden_act"); act && *act != "silu") {
    fields.refuse("hidden_act", "is '" + base::printable(*act) + "'; only silu is supported");
  }
  if (fields.optional_value("quantization_config") != nullptr) {
    fields.refuse("quantization_config", "quantised weights are not supported; use the model's bf16 version");
  }
  // A window that no layer uses is how most Qwen3 configs come.
  const auto layers = fields.integer("num_hidden_layers");
  if (const Json* types = fields.optional_value("layer_types"); types != nullptr) {
    if (!types->is_array()) fields.refuse_type("layer_types", "an array of names", *types);
    for (const auto& type : *types) {
      if (type != "full_attention") {
        fields.refuse("layer_types", "has " + base::printable(type.dump()) + "; only full_attention is supported");
      }
    }
    return;
  }
  const auto first_windowed = fields.optional_integer("max_window_layers").value_or(28);
  if (fields.optional_boolean("use_sliding_window").value_or(false) && first_windowed < layers) {
    fields.refuse("use_sliding_window", "layers from " + std::to_string(first_windowed) +
                                            " on see a window of the text, which is not supported");
  }
}

std::vector<std::int64_t> read_ids(JsonFields& fields, const std::string& key) {
  const Json* value = fields.optional_value(key);
  if (value == nullptr) return {};
  std::vector<std::int64_t> ids;
  for (const auto& id : value->is_array() ? *value : Json::array({*value})) {
    if (!id.is_number_integer()) fields.refuse_type(key, "a token id or an array of them", *value);
    ids.push_back(id.get<std::int64_t>());
  }
  return ids;
}

Json rope_json(const RopeConfig& rope) {
  Json json{{"rope_theta", rope.theta}};
  for (const auto& [name, type] : kRopeTypes) {
    if (type == rope.type) json["rope_type"] = name;
  }
  if (rope.type == RopeType::kDefault) return json;
  json["factor"] = rope.factor;
  if (rope.type == RopeType::kLinear) return json;
  json["original_max_position_embeddings"] = rope.original_max_positions;
  if (rope.type == RopeType::kLlama3) {
    json["low_freq_factor"] = rope.low_freq_factor;
    json["high_freq_factor"] = rope.high_freq_factor;
    return json;
  }
  json["beta_fast"] = rope.beta_fast;
  json["beta_slow"] = rope.beta_slow;
  json["truncate"] = rope.truncate;
  if (rope.attention_factor) json["attention_factor"] = *rope.attention_factor;
  if (rope.mscale) json["mscale"] = *rope.mscale;
  if (rope.mscale_all_dim) json["mscale_all_dim"] = *rope.mscale_all_dim;
  return json;
}

}  // namespace

std::int64_t ModelConfig::parameters() const {
  const std::int64_t attention = qkv_rows() * hidden_size + heads * head_dim * hidden_size + 2 * head_dim;
  const std::int64_t layer = attention + 3 * hidden_size * intermediate_size + 2 * hidden_size;
  return layers * layer + hidden_size + (tied_embeddings ? 1 : 2) * vocab_size * hidden_size;
}

ModelConfig read_model_config(const std::filesystem::path& path) {
  std::error_code error;
  const auto file = std::filesystem::is_directory(path, error) ? path / "config.json" : path;
  return parse_model_config(base::read_file(file), file.string());
}

ModelConfig parse_model_config(std::string_view text, const std::string& file) {
  const base::Place where{.file = file};
  const Json json = base::parse_json(text, where);
  JsonFields fields(json, where);
  refuse_other_architectures(fields);
  refuse_what_is_not_done(fields);

  ModelConfig config;
  config.vocab_size = fields.integer("vocab_size");
  config.hidden_size = fields.integer("hidden_size");
  config.intermediate_size = fields.integer("intermediate_size");
  config.layers = fields.integer("num_hidden_layers");
  config.heads = fields.integer("num_attention_heads");
  config.kv_heads = fields.optional_integer("num_key_value_heads").value_or(config.heads);
  config.head_dim = fields.optional_integer("head_dim").value_or(128);  // transformers' default, not hidden / heads
  config.max_positions = fields.optional_integer("max_position_embeddings").value_or(32768);
  config.rms_norm_eps = fields.optional_number("rms_norm_eps").value_or(1e-6);
  config.initializer_range = fields.optional_number("initializer_range").value_or(0.02);
  config.tied_embeddings = fields.optional_boolean("tie_word_embeddings").value_or(false);
  config.rope = read_rope(fields, where, config.max_positions);
  auto dtype = fields.optional_text("dtype");
  if (!dtype) dtype = fields.optional_text("torch_dtype");
  config.dtype = DType::kFloat32;
  if (dtype) {
    const auto type = dtype_named(*dtype);
    if (!type)
      fields.refuse("dtype", "'" + base::printable(*dtype) + "' is not supported; use float32, bfloat16 or float16");
    config.dtype = *type;
  }
  config.bos_token_id = fields.optional_integer("bos_token_id");
  config.pad_token_id = fields.optional_integer("pad_token_id");
  config.eos_token_ids = read_ids(fields, "eos_token_id");
  check_model_config(config, file);
  return config;
}

void check_model_config(const ModelConfig& config, const std::string& where) {
  const auto refuse = [&](const std::string& problem) { throw InputError({.file = where}, problem); };
  const auto expect_size = [&](const char* name, std::int64_t value) {
    if (value < 1 || value > kMostOfAnything)
      refuse(std::string(name) + " is " + std::to_string(value) + "; it must be positive");
  };
  expect_size("vocab_size", config.vocab_size);
  expect_size("hidden_size", config.hidden_size);
  expect_size("intermediate_size", config.intermediate_size);
  expect_size("num_hidden_layers", config.layers);
  expect_size("num_attention_heads", config.heads);
  expect_size("num_key_value_heads", config.kv_heads);
  expect_size("head_dim", config.head_dim);
  expect_size("max_position_embeddings", config.max_positions);
  // Far above every model there is, and low enough that byte counts fit 64 bits.
  if (config.layers > 10000 || config.heads > 65536 || config.head_dim > 65536 || config.hidden_size > (1 << 24) ||
      config.intermediate_size > (1 << 26) || config.vocab_size > (1 << 26)) {
    refuse("its sizes are those of no model");
  }
  if (config.head_dim % 2 != 0) refuse("head_dim is " + std::to_string(config.head_dim) + "; RoPE needs an even one");
  if (config.heads % config.kv_heads != 0) {
    refuse("num_attention_heads (" + std::to_string(config.heads) + ") is no multiple of num_key_value_heads (" +
           std::to_string(config.kv_heads) + ")");
  }
  const auto expect_positive = [&](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value)) refuse(std::string(name) + " must be positive");
  };
  expect_positive("rms_norm_eps", config.rms_norm_eps);
  if (!(config.rope.theta > 1) || !std::isfinite(config.rope.theta)) refuse("rope_theta must be above 1");
  expect_positive("the rope's factor", config.rope.factor);
  if (!(config.initializer_range >= 0) || !std::isfinite(config.initializer_range))
    refuse("initializer_range must not be negative");
  if (config.rope.type == RopeType::kYarn || config.rope.type == RopeType::kLlama3) {
    if (config.rope.original_max_positions < 1) refuse("the rope's original_max_position_embeddings must be positive");
    expect_positive("the rope's beta_fast", config.rope.beta_fast);
    expect_positive("the rope's beta_slow", config.rope.beta_slow);
    expect_positive("the rope's low_freq_factor", config.rope.low_freq_factor);
    if (!(config.rope.high_freq_factor > config.rope.low_freq_factor)) {
      refuse("the rope's high_freq_factor must be above its low_freq_factor");
    }
  }
  const auto expect_token = [&](const char* name, std::int64_t id) {
    if (id < 0 || id >= config.vocab_size) {
      refuse(std::string(name) + " is " + std::to_string(id) + ", outside the vocabulary of " +
             std::to_string(config.vocab_size));
    }
  };
  for (const auto id : config.eos_token_ids) expect_token("eos_token_id", id);
}

std::string model_config_text(const ModelConfig& config) {
  Json json{{"architectures", {"Qwen3ForCausalLM"}},
            {"model_type", "qwen3"},
            {"attention_bias", false},
            {"attention_dropout", 0.0},
            {"dtype", dtype_name(config.dtype)},
            {"head_dim", config.head_dim},
            {"hidden_act", "silu"},
            {"hidden_size", config.hidden_size},
            {"initializer_range", config.initializer_range},
            {"intermediate_size", config.intermediate_size},
            {"max_position_embeddings", config.max_positions},
            {"num_attention_heads", config.heads},
            {"num_hidden_layers", config.layers},
            {"num_key_value_heads", config.kv_heads},
            {"rms_norm_eps", config.rms_norm_eps},
            {"rope_parameters", rope_json(config.rope)},
            {"sliding_window", nullptr},
            {"tie_word_embeddings", config.tied_embeddings},
            {"use_cache", true},
            {"use_sliding_window", false},
            {"vocab_size", config.vocab_size}};
  if (config.bos_token_id) json["bos_token_id"] = *config.bos_token_id;
  if (config.pad_token_id) json["pad_token_id"] = *config.pad_token_id;
  if (config.eos_token_ids.size() == 1) json["eos_token_id"] = config.eos_token_ids.front();
  if (config.eos_token_ids.size() > 1) json["eos_token_id"] = config.eos_token_ids;
  return json.dump(2) + "\n";
}

std::string_view dtype_name(DType type) {
  for (const auto& known : kDTypeNames) {
    if (known.type == type) return known.name;
  }
  base::bug("a type without a name");
}

std::optional<DType> dtype_named(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (const auto& known : kDTypeNames) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

}  // namespace tritonrl::model
