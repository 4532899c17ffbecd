#include "rl/problem.h"

#include "base/error.h"
#include "base/log.h"
#include "task/prompt.h"
#include "task/suite.h"
#include "train/example.h"

namespace tritonrl::rl {

std::vector<Problem> read_problems(const std::string& suite, const RlConfig& config,
                                   const tokenizer::Tokenizer& tokenizer) {
  const auto opened = task::Suite::open(suite);
  std::vector<Problem> problems;
  for (const auto& entry : opened.entries()) {
    auto task = std::make_shared<task::Task>(opened.load(entry));
    std::string prompt = task::make_prompt(*task, task::prompt_named(config.prompt));
    auto ids = train::prompt_ids(tokenizer, prompt);
    problems.push_back({.task = std::move(task), .prompt_ids = std::move(ids), .prompt = std::move(prompt)});
  }
  return problems;
}

rollout::Request request_of(const Problem& problem, const RlConfig& config, const tokenizer::Tokenizer& tokenizer,
                            std::int64_t responses, std::uint64_t seed) {
  return {.prompt = problem.prompt_ids,
          .responses = static_cast<std::int32_t>(responses),
          .max_tokens = static_cast<std::int32_t>(config.max_tokens),
          .sampling = {.temperature = static_cast<float>(config.temperature),
                       .top_p = static_cast<float>(config.top_p),
                       .min_p = static_cast<float>(config.min_p),
                       .top_k = static_cast<std::int32_t>(config.top_k)},
          .stop_ids = train::end_ids(tokenizer),
          .seed = seed};
}

void drop_long_prompts(std::vector<Problem>& problems, const RlConfig& config, const std::string& suite) {
  const auto too_long = std::erase_if(problems, [&](const Problem& problem) {
    return static_cast<std::int64_t>(problem.prompt_ids.size()) > config.max_prompt_tokens;
  });
  if (too_long > 0) {
    base::log::warning("{}: {} tasks have prompts of more than rl.max_prompt_tokens = {} and are left out", suite,
                       too_long, config.max_prompt_tokens);
  }
  if (problems.empty()) throw base::InputError({.file = suite}, "no task is left to work on");
}

}  // namespace tritonrl::rl
