#include "model/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "model/rope_table.h"

namespace tritonrl::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

base::Json qwen3() {
  return {{"architectures", {"Qwen3ForCausalLM"}},
          {"model_type", "qwen3"},
          {"vocab_size", 100},
          {"hidden_size", 64},
          {"intermediate_size", 96},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"head_dim", 32},
          {"max_position_embeddings", 512},
          {"rope_theta", 1000000},
          {"torch_dtype", "bfloat16"},
          {"use_sliding_window", false},
          {"sliding_window", 4096},
          {"max_window_layers", 1},
          {"eos_token_id", 7}};
}

ModelConfig parse(const base::Json& json) { return parse_model_config(json.dump(), "config.json"); }

std::string problem_of(const base::Json& json) {
  try {
    parse(json);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ModelConfig, ReadsBothSpellingsOfRopeAndType) {
  const ModelConfig older = parse(qwen3());
  EXPECT_EQ(older.rope.theta, 1e6);
  EXPECT_EQ(older.dtype, DType::kBFloat16);
  EXPECT_EQ(older.eos_token_ids, std::vector<std::int64_t>{7});
  base::Json json = qwen3();
  json.erase("rope_theta");
  json.erase("torch_dtype");
  json["rope_parameters"] = {{"rope_type", "yarn"}, {"rope_theta", 5e6}, {"factor", 4.0}};
  json["dtype"] = "float16";
  json["eos_token_id"] = {7, 8};
  const ModelConfig newer = parse(json);
  EXPECT_EQ(newer.rope.theta, 5e6);
  EXPECT_EQ(newer.rope.type, RopeType::kYarn);
  EXPECT_EQ(newer.rope.original_max_positions, 512);
  EXPECT_EQ(newer.dtype, DType::kFloat16);
  EXPECT_EQ(newer.eos_token_ids.size(), 2);
}

TEST(ModelConfig, WhatItWritesItReads) {
  base::Json json = qwen3();
  for (const char* type : {"default", "linear", "yarn", "llama3"}) {
    json["rope_scaling"] = {{"rope_type", type}, {"factor", 2.0}, {"original_max_position_embeddings", 128}};
    const ModelConfig config = parse(json);
    const std::string text = model_config_text(config);
    EXPECT_EQ(model_config_text(parse_model_config(text, "again")), text) << type;
  }
}

struct Refusal {
  const char* key;
  base::Json value;
  const char* said;
};

TEST(ModelConfig, RefusesWhatItDoesNotDoAndNamesTheField) {
  const Refusal refusals[] = {
      {"model_type", "llama", "llama"},
      {"model_type", "qwen3_moe", "qwen3_moe"},
      {"architectures", {"Qwen3ForSequenceClassification"}, "Qwen3ForSequenceClassification"},
      {"attention_bias", true, "attention_bias"},
      {"hidden_act", "gelu", "gelu"},
      {"quantization_config", {{"bits", 4}}, "quantised"},
      {"use_sliding_window", true, "window"},
      {"layer_types", {"full_attention", "sliding_attention"}, "sliding_attention"},
      {"head_dim", 31, "even"},
      {"num_key_value_heads", 3, "num_key_value_heads"},
      {"num_attention_heads", 0, "num_attention_heads"},
      {"num_attention_heads", "4", "num_attention_heads"},
      {"vocab_size", -1, "vocab_size"},
      {"vocab_size", 1LL << 40, "vocab_size"},
      {"num_hidden_layers", 1 << 20, "no model"},
      {"eos_token_id", 100, "outside the vocabulary"},
      {"torch_dtype", "int8", "int8"},
      {"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 2}}, "longest text"},
      {"rope_scaling", {{"rope_type", "mystery"}, {"factor", 2}}, "mystery"},
      {"rope_scaling", {{"rope_type", "yarn"}}, "factor"},
      {"rope_scaling", 7, "rope_scaling"},
      {"rope_theta", 0, "rope_theta"},
  };
  for (const auto& [key, value, said] : refusals) {
    base::Json json = qwen3();
    json[key] = value;
    EXPECT_THAT(problem_of(json), AllOf(HasSubstr("config.json"), HasSubstr(said))) << key << " " << value.dump();
  }
  EXPECT_EQ(problem_of(qwen3()), "no error");
}

TEST(ModelConfig, AWindowThatNoLayerUsesIsNone) {
  base::Json json = qwen3();
  json["use_sliding_window"] = true;
  json["max_window_layers"] = 2;
  EXPECT_EQ(problem_of(json), "no error");
}

TEST(ModelConfig, CountsTheParametersOfQwen3) {
  ModelConfig config;  // 8B
  EXPECT_EQ(config.parameters(), 8'190'735'360);
  config.hidden_size = 1024;  // 0.6B
  config.intermediate_size = 3072;
  config.layers = 28;
  config.heads = 16;
  config.tied_embeddings = true;
  EXPECT_EQ(config.parameters(), 596'049'920);
}

TEST(RopeTable, TurnsTheFirstPairByThePositionItself) {
  ModelConfig config = parse(qwen3());
  const RopeTable table = make_rope_table(config, 10);
  ASSERT_EQ(table.cosines.size(), 10 * 16);
  for (int position = 0; position < 10; ++position) {
    const auto row = static_cast<std::size_t>(position) * 16;
    EXPECT_FLOAT_EQ(table.cosines[row], std::cos(static_cast<float>(position)));
    EXPECT_FLOAT_EQ(table.sines[row], std::sin(static_cast<float>(position)));
  }
}

}  // namespace
}  // namespace tritonrl::model
