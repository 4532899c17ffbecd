#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/json.h"
#include "task/task.h"
#include "verify/oracle.h"

namespace tritonrl::verify {

// Whether the reference runs at these sizes and gives finite numbers.
using RunsAt = std::function<bool(const task::Variant&)>;

struct SurveyRequest {
  std::shared_ptr<const task::Task> task;
  // What else to learn of an admitted task by trying sizes; from a thread of the verifier's. May be empty.
  std::function<base::Json(const RunsAt&)> explore = {};
};

// What running a task's reference shows: its admission (admission.h) and, where it is admitted, "operators" as
// Oracle::graph() tells them and "explored", what `explore` returned. `stand_ins`: as for admit().
base::Json survey(const SurveyRequest& request, Oracle& oracle, std::uint64_t seed,
                  const std::vector<task::Variant>& stand_ins);

}  // namespace tritonrl::verify
