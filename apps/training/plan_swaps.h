#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "apps/training/sampler.h"
#include "base/json.h"
#include "eval/bootstrap.h"
#include "synth/schedule.h"
#include "verify/verifier.h"

namespace tritonrl::apps {

struct PlanSwapConfig {
  std::int64_t cases = 0;  // at most; 0: none
  std::string
      schedules;  // JSONL of samples whose plans decide what is valid for a task, in the embedded teacher's words
};

// Whether code follows its plan: the model's own plan gets another schedule that is valid for its task, in the same
// words, and the model goes on from there.
struct PlanSwaps {
  std::int64_t cases = 0;
  std::int64_t followed = 0;  // the code does what the new plan decides
  std::int64_t kept = 0;      // what the model's own plan decided
  std::int64_t no_code = 0;
  std::int64_t undecided = 0;  // plans in which nothing could be replaced, or for another task: no cases

  // Of the model's own responses, for comparison: those with a decision, and those whose code does what it says.
  std::int64_t own_plans = 0;
  std::int64_t own_followed = 0;

  base::Json json() const;
  std::string table() const;
};

class PlanSwapper {
 public:
  // InputError where the file holds no schedules.
  explicit PlanSwapper(const PlanSwapConfig& config);

  // `responses`: the model's own to each task. Cases are spread over tasks, then over a task's other schedules. Where
  // `folder` is not empty, each stands in its plan_swaps.jsonl.
  PlanSwaps swap(const std::vector<verify::Candidate>& responses, Sampler& sampler, double temperature,
                 const std::string& folder) const;

 private:
  std::int64_t cases_;
  std::map<std::string, std::vector<synth::Schedule>> schedules_;  // by task
};

}  // namespace tritonrl::apps
