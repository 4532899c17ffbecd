#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::eval {

// An eval.json; `where` is its file, for what it lacks.
struct NamedReport {
  std::string name;
  base::Json report;
  base::Place where;
};

// Evaluations side by side as HTML: gains over what they were compared with, figures for all tasks and by level,
// failures by rule, how temperatures were chosen, whether code follows the plan. Empty where there is none.
std::string evaluation_section(const std::vector<NamedReport>& reports);

}  // namespace tritonrl::eval
