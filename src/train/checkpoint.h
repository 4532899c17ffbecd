#pragma once

#include <filesystem>

#include "base/json.h"

namespace tritonrl::model {
class Qwen3;
}

namespace tritonrl::train {

class Optimizer;

// A folder that Hugging Face's libraries load, with trainer/ inside: the optimizer, and the counters of whoever trains.
// It appears whole or not at all: a kill or a full disk leaves what was there. `tokenizer` is the folder whose
// tokenizer goes with the weights.
void write_checkpoint(const std::filesystem::path& folder, const std::filesystem::path& tokenizer,
                      const model::Qwen3& model, const Optimizer& optimizer, const base::Json& counters);

// The counters. The weights are those that Qwen3::load reads from the same folder, or the optimizer's own.
// InputError, with the file, for a checkpoint of another model, of another version, or without trainer/.
base::Json read_checkpoint(const std::filesystem::path& folder, Optimizer& optimizer);

// tokenizer.json and what stands beside it.
void copy_tokenizer(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tritonrl::train
