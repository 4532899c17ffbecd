#pragma once

#include <optional>
#include <string>
#include <vector>

#include "endpoint/client.h"
#include "task/task.h"

namespace tritonrl::data {

// A model behind an endpoint that is asked about tasks. Sizes that it proposes are tried before they count. An answer
// that makes no sense, or none at all, is no advice. Safe from any thread.
class Adviser {
 public:
  Adviser(endpoint::Client client, std::string model) : client_(std::move(client)), model_(std::move(model)) {}

  std::optional<int> level(const task::Task& task) const;
  std::vector<task::Variant> sizes(const task::Task& task) const;
  const std::string& model() const { return model_; }

 private:
  std::optional<std::string> ask(const std::string& prompt) const;

  endpoint::Client client_;
  std::string model_;
};

// The level in an answer: its last digit, where that is 1, 2 or 3.
std::optional<int> level_in(std::string_view answer);
// The proposals in an answer: its last JSON array, of objects that give dimensions of the task positive integers.
std::vector<task::Variant> sizes_in(std::string_view answer, const task::Task& task);

}  // namespace tritonrl::data
