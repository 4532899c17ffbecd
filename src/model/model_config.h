#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/dtype.h"

namespace tritonrl::model {

using kernels::DType;

enum class RopeType : std::uint8_t { kDefault, kLinear, kYarn, kLlama3 };

// How positions become angles, in the words of config.json. What a type does not use is ignored.
struct RopeConfig {
  RopeType type = RopeType::kDefault;
  double theta = 1e6;
  double factor = 1;
  std::int64_t original_max_positions = 0;  // yarn, llama3
  std::optional<double> attention_factor;   // yarn
  std::optional<double> mscale;             // yarn
  std::optional<double> mscale_all_dim;     // yarn
  double beta_fast = 32;                    // yarn
  double beta_slow = 1;                     // yarn
  bool truncate = true;                     // yarn
  double low_freq_factor = 1;               // llama3
  double high_freq_factor = 4;              // llama3
};

// A dense Qwen3, as config.json of a Hugging Face directory describes it.
struct ModelConfig {
  std::int64_t vocab_size = 151936;
  std::int64_t hidden_size = 4096;
  std::int64_t intermediate_size = 12288;
  std::int64_t layers = 36;
  std::int64_t heads = 32;
  std::int64_t kv_heads = 8;
  std::int64_t head_dim = 128;
  std::int64_t max_positions = 40960;
  double rms_norm_eps = 1e-6;
  double initializer_range = 0.02;
  bool tied_embeddings = false;
  RopeConfig rope;
  DType dtype = DType::kBFloat16;  // of the stored weights
  std::optional<std::int64_t> bos_token_id;
  std::optional<std::int64_t> pad_token_id;
  std::vector<std::int64_t> eos_token_ids;

  std::int64_t qkv_rows() const { return (heads + 2 * kv_heads) * head_dim; }
  std::int64_t parameters() const;
};

// From a config.json, or the folder that holds it. InputError, with the field, for another architecture, for what this
// Qwen3 does not do (biases, sliding windows, other RoPE types) and for sizes that do not fit together.
ModelConfig read_model_config(const std::filesystem::path& path);
ModelConfig parse_model_config(std::string_view text, const std::string& file);

// The config.json that transformers loads.
std::string model_config_text(const ModelConfig& config);

// The same checks for a config that was put together by hand; `where` is what the error names.
void check_model_config(const ModelConfig& config, const std::string& where);

std::string_view dtype_name(DType type);                  // "float32", as config.json spells it
std::optional<DType> dtype_named(std::string_view name);  // "float32", "fp32", "bf16", ...

}  // namespace tritonrl::model
