#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "tokenizer/tokenizer.h"
#include "train/packing.h"

namespace tritonrl::train {

// What a model is to answer to what.
struct Example {
  std::string prompt;
  std::string response;
  base::Place where;
};

// Rows of {"prompt", "response", ...}; a row without a prompt names a "task", whose prompt `prompt_of` knows.
// InputError, with the line, for a row of anything else, or for a file without rows.
std::vector<Example> read_examples(const std::filesystem::path& path,
                                   const std::function<std::string(const std::string& task)>& prompt_of);

// The prompt as the chat template has it, up to where the answer starts.
std::vector<tokenizer::TokenId> prompt_ids(const tokenizer::Tokenizer& tokenizer, const std::string& prompt);

// The tokens that end a response.
std::vector<tokenizer::TokenId> end_ids(const tokenizer::Tokenizer& tokenizer);

// The example as a conversation; the response and the end of its turn are scored. Both are encoded apart, as they are
// when a response is sampled.
TrainText encode_example(const tokenizer::Tokenizer& tokenizer, const Example& example);

}  // namespace tritonrl::train
