#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "task/prompt.h"
#include "task/suite.h"

namespace tritonrl::apps {

// Prompts of a suite's tasks, each made once.
class TaskPrompts {
 public:
  // Without a suite every question for a prompt is an InputError that says so.
  TaskPrompts(const std::string& suite, const std::string& kind);

  const std::string& of(const std::string& task);

 private:
  std::optional<task::Suite> suite_;
  task::PromptKind kind_;
  std::map<std::string, std::string> prompts_;
};

}  // namespace tritonrl::apps
