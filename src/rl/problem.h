#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rl/config.h"
#include "rollout/request.h"
#include "task/task.h"
#include "tokenizer/tokenizer.h"

namespace tritonrl::rl {

// A task as a model sees it.
struct Problem {
  std::shared_ptr<const task::Task> task;
  std::vector<tokenizer::TokenId> prompt_ids;
  std::string prompt;
};

// All tasks of a suite, as config.prompt asks for them.
std::vector<Problem> read_problems(const std::string& suite, const RlConfig& config,
                                   const tokenizer::Tokenizer& tokenizer);

// Asks for that many responses, sampled as the run samples.
rollout::Request request_of(const Problem& problem, const RlConfig& config, const tokenizer::Tokenizer& tokenizer,
                            std::int64_t responses, std::uint64_t seed);

// Leaves out what is longer than the run's limit, with a warning. InputError where nothing of `suite` is left.
void drop_long_prompts(std::vector<Problem>& problems, const RlConfig& config, const std::string& suite);

}  // namespace tritonrl::rl
