#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "task/task.h"
#include "verify/oracle.h"

namespace tritonrl::verify {

// Whether a task can be used to judge candidates.
struct Admission {
  std::string task;
  // Empty: admitted. Else why not: "broken", "random", "stateful", "writes-input", "not-finite", or
  // "accepts-" and the trivial candidate that it takes for right: zeros, constant, identity, stale, row-means,
  // column-means, low-precision.
  std::string reason;
  std::string message;
  base::Json evidence = base::Json::object();  // by trivial candidate: the trials that it passed, of those there were

  bool admitted() const { return reason.empty(); }
};

// Runs candidates that do no work against the task, over the same inputs that real ones get. One that passes every
// trial is reason enough to refuse the task. `stand_ins` (stand_in.h): sizes to run in place of the task's own.
Admission admit(const task::Task& task, Oracle& oracle, std::uint64_t seed,
                const std::vector<task::Variant>& stand_ins);

base::Json admission_json(const Admission& admission);

}  // namespace tritonrl::verify
