#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/json.h"
#include "endpoint/client.h"
#include "task/prompt.h"

namespace tritonrl::data {

struct DistillConfig {
  std::filesystem::path tasks;   // a suite
  std::filesystem::path out;     // samples, one JSON object a line
  std::int64_t traces = 5;       // a task
  unsigned concurrency = 8;      // requests at a time
  endpoint::ChatRequest asking;  // model, temperature...; its messages are ours
  task::PromptKind prompt = task::PromptKind::kTraining;
};

struct DistillReport {
  std::size_t tasks = 0;
  std::size_t answered = 0;
  std::size_t kept = 0;                       // answered before, and not asked again
  std::map<std::string, std::size_t> failed;  // by what was wrong
  std::int64_t prompt_tokens = 0;
  std::int64_t response_tokens = 0;
  bool counted_by_server = true;  // else some of them as pieces (task/prompt.h)

  std::size_t failures() const;
  base::Json json() const;
};

// Asks the endpoint for traces of each task and appends every answer to `out` as it comes, so that a killed run goes on
// without asking again, and a larger `traces` asks only for what is missing. A request that fails is counted and left
// for a rerun. InputError where the server refuses all requests, or `out` was made with another model or prompt;
// HostError where it stopped answering: what was answered is kept.
DistillReport distill(const DistillConfig& config, const endpoint::Client& client);

}  // namespace tritonrl::data
