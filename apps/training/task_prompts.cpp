#include "apps/training/task_prompts.h"

#include "base/error.h"

namespace tritonrl::apps {

TaskPrompts::TaskPrompts(const std::string& suite, const std::string& kind) : kind_(task::prompt_named(kind)) {
  if (!suite.empty()) suite_ = task::Suite::open(suite);
}

const std::string& TaskPrompts::of(const std::string& task) {
  if (!suite_) {
    throw base::InputError({.file = task}, "is a task, and no suite is given that holds it",
                           "name the suite with sft.tasks, or give rows with a prompt");
  }
  std::string& prompt = prompts_[task];
  if (prompt.empty()) prompt = task::make_prompt(suite_->load(suite_->find(task)), kind_);
  return prompt;
}

}  // namespace tritonrl::apps
