#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "apps/training/commands.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "model/model_config.h"
#include "model/qwen3.h"
#include "model/safetensors.h"
#include "tokenizer/tokenizer.h"

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;
using base::InputError;
using model::DType;
using model::ModelConfig;

struct InitConfig {
  std::string config;
  std::string out;
  std::string tokenizer;
  std::optional<std::int64_t> vocab_size;
  std::optional<std::int64_t> hidden_size;
  std::optional<std::int64_t> intermediate_size;
  std::optional<std::int64_t> layers;
  std::optional<std::int64_t> heads;
  std::optional<std::int64_t> kv_heads;
  std::optional<std::int64_t> head_dim;
  std::optional<std::int64_t> max_positions;
  std::optional<double> rope_theta;
  bool tied = false;
  bool untied = false;
  std::string dtype;
  std::uint64_t seed = 0;
  bool force = false;
};

struct InfoConfig {
  std::string folder;
  std::vector<std::int64_t> contexts{4096, 32768};
  bool tensors = false;
  bool json = false;
};

// What follows from hidden_size where nothing else is said: the proportions of Qwen3's own small models.
ModelConfig config_from_sizes(const InitConfig& init) {
  const auto required = [](const std::optional<std::int64_t>& value, const char* option) {
    if (!value) throw InputError({}, std::string("without a CONFIG, ") + option + " is needed");
    return *value;
  };
  ModelConfig config;
  config.hidden_size = required(init.hidden_size, "--hidden");
  config.layers = required(init.layers, "--layers");
  config.vocab_size = init.tokenizer.empty() ? required(init.vocab_size, "--vocab or --tokenizer") : 1;
  config.head_dim = init.head_dim.value_or(64);
  config.heads = init.heads.value_or(std::max<std::int64_t>(config.hidden_size / config.head_dim, 1));
  config.kv_heads = init.kv_heads.value_or(config.heads % 2 == 0 ? config.heads / 2 : config.heads);
  config.intermediate_size = 3 * config.hidden_size;
  config.max_positions = 8192;
  config.tied_embeddings = true;
  config.dtype = DType::kFloat32;
  return config;
}

template <typename T>
void put(T& field, const std::optional<T>& value) {
  if (value) field = *value;
}

void apply_options(const InitConfig& init, ModelConfig& config) {
  put(config.vocab_size, init.vocab_size);
  put(config.hidden_size, init.hidden_size);
  put(config.intermediate_size, init.intermediate_size);
  put(config.layers, init.layers);
  put(config.heads, init.heads);
  put(config.kv_heads, init.kv_heads);
  put(config.head_dim, init.head_dim);
  put(config.max_positions, init.max_positions);
  put(config.rope.theta, init.rope_theta);
  config.tied_embeddings = init.tied || (config.tied_embeddings && !init.untied);
  if (!init.dtype.empty()) {
    const auto type = model::dtype_named(init.dtype);
    if (!type) throw InputError({}, "--dtype '" + init.dtype + "' is not known", "use float32, bfloat16 or float16");
    config.dtype = *type;
  }
}

// The vocabulary is the tokenizer's, and a text ends where its chat turns end.
void fit_to_tokenizer(const InitConfig& init, ModelConfig& config) {
  const auto tokenizer = tokenizer::Tokenizer::load(init.tokenizer);
  const auto size = static_cast<std::int64_t>(tokenizer.size());
  if (!init.vocab_size) config.vocab_size = size;
  if (config.vocab_size < size) {
    throw InputError({.file = init.tokenizer},
                     fmt::format("has {} tokens, and the model's vocabulary {}", size, config.vocab_size));
  }
  config.eos_token_ids.clear();
  for (const char* name : {"<|im_end|>", "<|endoftext|>"}) {
    if (const auto id = tokenizer.added_token(name)) config.eos_token_ids.push_back(*id);
  }
  if (const auto id = tokenizer.added_token("<|endoftext|>")) config.pad_token_id = *id;
}

void copy_tokenizer(const fs::path& from, const fs::path& to) {
  const fs::path folder = fs::is_directory(from) ? from : from.parent_path();
  for (const char* name : {"tokenizer.json", "tokenizer_config.json"}) {
    if (fs::exists(folder / name)) base::write_file_atomically(to / name, base::read_file(folder / name));
  }
}

int init(const InitConfig& init) {
  ModelConfig config = init.config.empty() ? config_from_sizes(init) : model::read_model_config(init.config);
  apply_options(init, config);
  if (!init.tokenizer.empty()) fit_to_tokenizer(init, config);
  model::check_model_config(config, init.config.empty() ? "the options" : init.config);
  const fs::path out = init.out;
  if (fs::exists(out / "config.json") && !init.force) {
    throw InputError({.file = init.out}, "holds a model", "choose another folder, or --force to replace it");
  }
  const auto made = model::Qwen3::random(config, init.seed, {});
  made.save(out, config.dtype);
  if (!init.tokenizer.empty()) copy_tokenizer(init.tokenizer, out);
  std::cout << fmt::format("{}: {} parameters, {}\n", init.out, config.parameters(), model::dtype_name(config.dtype));
  return base::kExitDone;
}

std::string bytes_text(double bytes) {
  const char* unit = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (bytes < 1024) break;
    bytes /= 1024;
    unit = next;
  }
  return fmt::format("{:.4g} {}", bytes, unit);
}

std::int64_t elements_of(const model::StoredTensor& tensor) {
  std::int64_t count = 1;
  for (const auto extent : tensor.shape) count *= extent;
  return count;
}

base::Json info_json(const InfoConfig& info, const ModelConfig& config, const model::StoredWeights& weights) {
  std::map<std::string, std::int64_t> types;
  std::int64_t stored = 0;
  std::int64_t bytes = 0;
  base::Json tensors = base::Json::array();
  for (const auto* tensor : weights.all()) {
    ++types[tensor->dtype];
    stored += elements_of(*tensor);
    bytes += static_cast<std::int64_t>(tensor->bytes.size());
    if (info.tensors) tensors.push_back({{"name", tensor->name}, {"dtype", tensor->dtype}, {"shape", tensor->shape}});
  }
  base::Json memory = base::Json::array();
  for (const auto context : info.contexts) {
    const std::int64_t cache = context * model::cache_bytes_per_token(config, config.dtype);
    memory.push_back({{"context", context}, {"cache_bytes", cache}, {"with_weights_bytes", cache + bytes}});
  }
  base::Json json{{"architecture", "Qwen3ForCausalLM"},
                  {"parameters", config.parameters()},
                  {"stored_elements", stored},
                  {"bytes", bytes},
                  {"dtypes", types},
                  {"vocab_size", config.vocab_size},
                  {"hidden_size", config.hidden_size},
                  {"intermediate_size", config.intermediate_size},
                  {"layers", config.layers},
                  {"heads", config.heads},
                  {"kv_heads", config.kv_heads},
                  {"head_dim", config.head_dim},
                  {"max_positions", config.max_positions},
                  {"rope_theta", config.rope.theta},
                  {"tied_embeddings", config.tied_embeddings},
                  {"cache_bytes_per_token", model::cache_bytes_per_token(config, config.dtype)},
                  {"memory", memory}};
  if (info.tensors) json["tensors"] = tensors;
  return json;
}

void print_info(const base::Json& json) {
  const auto number = [&](const char* key) { return json.at(key).get<std::int64_t>(); };
  std::string types;
  for (const auto& [type, count] : json.at("dtypes").items()) {
    types += fmt::format("{}{} x {}", types.empty() ? "" : ", ", count.get<std::int64_t>(), type);
  }
  std::cout << fmt::format("{:<12}{}\n", "model", json.at("architecture").get<std::string>())
            << fmt::format("{:<12}{}\n", "parameters", number("parameters"))
            << fmt::format("{:<12}{} ({} bytes; {})\n", "weights", bytes_text(static_cast<double>(number("bytes"))),
                           number("bytes"), types)
            << fmt::format("{:<12}{} layers, hidden {}, feed-forward {}\n", "shape", number("layers"),
                           number("hidden_size"), number("intermediate_size"))
            << fmt::format("{:<12}{} heads over {} key/value heads of {}\n", "attention", number("heads"),
                           number("kv_heads"), number("head_dim"))
            << fmt::format("{:<12}{} tokens, {} embeddings\n", "vocabulary", number("vocab_size"),
                           json.at("tied_embeddings").get<bool>() ? "tied" : "untied")
            << fmt::format("{:<12}{} positions, rope theta {}\n", "context", number("max_positions"),
                           json.at("rope_theta").get<double>());
  for (const auto& row : json.at("memory")) {
    std::cout << fmt::format("{:<12}{} for the cache of {} tokens, {} with the weights\n", "memory",
                             bytes_text(row.at("cache_bytes").get<double>()), row.at("context").get<std::int64_t>(),
                             bytes_text(row.at("with_weights_bytes").get<double>()));
  }
  if (!json.contains("tensors")) return;
  for (const auto& tensor : json.at("tensors")) {
    std::cout << fmt::format("{:<5} {:<16} {}\n", tensor.at("dtype").get<std::string>(), tensor.at("shape").dump(),
                             tensor.at("name").get<std::string>());
  }
}

int info(const InfoConfig& info) {
  const ModelConfig config = model::read_model_config(info.folder);
  const model::StoredWeights weights(info.folder);
  const auto json = info_json(info, config, weights);
  if (info.json) {
    std::cout << json.dump(2) << '\n';
  } else {
    print_info(json);
  }
  return base::kExitDone;
}

void add_init(CLI::App& command, Run& run) {
  auto config = std::make_shared<InitConfig>();
  auto* init_command = command.add_subcommand("init", "Write a model with random weights.");
  auto paths = std::make_shared<std::vector<std::string>>();
  init_command
      ->add_option(
          "PATH", *paths,
          "[CONFIG] OUT_DIR: a config.json or a model's folder, whose sizes to take, if any; the folder to write")
      ->required()
      ->expected(1, 2);
  init_command->add_option("--tokenizer", config->tokenizer,
                           "A tokenizer's folder: its size is the vocabulary, and it is copied beside the model");
  init_command->add_option("--vocab", config->vocab_size, "Tokens");
  init_command->add_option("--hidden", config->hidden_size, "Width of the residual stream");
  init_command->add_option("--intermediate", config->intermediate_size,
                           "Width of the feed-forward; default 3 x hidden");
  init_command->add_option("--layers", config->layers, "Layers");
  init_command->add_option("--heads", config->heads, "Query heads; default hidden / head-dim");
  init_command->add_option("--kv-heads", config->kv_heads, "Key and value heads; default half of the query heads");
  init_command->add_option("--head-dim", config->head_dim, "Width of a head; default 64");
  init_command->add_option("--max-positions", config->max_positions, "Longest text; default 8192");
  init_command->add_option("--rope-theta", config->rope_theta, "Base of the rotary angles; default 1e6");
  auto* tied = init_command->add_flag("--tied", config->tied, "One matrix embeds tokens and scores them: the default");
  init_command->add_flag("--untied", config->untied, "A matrix each")->excludes(tied);
  init_command->add_option("--dtype", config->dtype, "float32, bfloat16 or float16; default float32, or the config's");
  init_command->add_option("--seed", config->seed, "Of the weights");
  init_command->add_flag("--force", config->force, "Replace the model that is in OUT_DIR");
  init_command->footer("Example: tritonrl model init build/tiny --vocab 512 --hidden 128 --layers 4");
  init_command->callback([&run, config, paths] {
    config->out = paths->back();
    if (paths->size() == 2) config->config = paths->front();
    run = [config] { return init(*config); };
  });
}

void add_info(CLI::App& command, Run& run) {
  auto config = std::make_shared<InfoConfig>();
  auto* info_command = command.add_subcommand("info", "Describe a model: its parameters, types, shapes and memory.");
  info_command->add_option("DIR", config->folder, "A model in Hugging Face's layout")->required();
  info_command->add_option("--context", config->contexts, "Memory for a cache of this many tokens")
      ->check(CLI::PositiveNumber);
  info_command->add_flag("--tensors", config->tensors, "List every tensor");
  info_command->add_flag("--json", config->json, "One JSON document");
  info_command->footer("Example: tritonrl model info MODEL_DIR --context 8192");
  info_command->callback([&run, config] { run = [config] { return info(*config); }; });
}

}  // namespace

void add_model_command(CLI::App& program, Run& run) {
  auto* command = program.add_subcommand("model", "Make, describe and try models.");
  command->require_subcommand(1);
  command->footer("Example: tritonrl model init build/tiny --vocab 512 --hidden 128 --layers 4");
  add_init(*command, run);
  add_info(*command, run);
  add_generate(*command, run);
}

}  // namespace tritonrl::apps
