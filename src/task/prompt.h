#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "task/task.h"

namespace tritonrl::task {

// What is asked: docs/prompts.md. The last two are about the task and not for a solution.
enum class PromptKind : std::uint8_t { kTraining, kEvaluation, kBare, kLevel, kSizes };

// One that asks for a solution, by its name: "training", "evaluation" or "bare"; nothing else.
PromptKind prompt_named(std::string_view name);

// What a model is asked, for this task. The training prompt states the sizes at which speed is judged.
std::string make_prompt(const Task& task, PromptKind kind);

// How long a text is without a model's vocabulary: the pieces that Qwen's tokenizer splits it into before it looks
// any of them up. Words are often one token; tokens are never fewer.
std::size_t count_pieces(std::string_view text);

}  // namespace tritonrl::task
