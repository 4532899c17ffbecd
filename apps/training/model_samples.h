#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "verify/verifier.h"

namespace tritonrl::apps {

struct ModelSampling {
  std::string folder;
  std::int64_t samples = 10;  // a task
  double temperature = 1;
  std::int64_t max_tokens = 4096;
  std::string prompt = "evaluation";
  std::uint64_t seed = 1;

  base::Json json() const;
};

// A model's answers to all tasks. Where `out` is a folder they go to its samples.jsonl, too.
std::vector<verify::Candidate> sample_model(const ModelSampling& sampling,
                                            const std::vector<std::shared_ptr<const task::Task>>& tasks,
                                            const std::string& out);

}  // namespace tritonrl::apps
