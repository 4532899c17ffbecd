#pragma once

#include <map>
#include <string>
#include <vector>

#include "eval/judged_sample.h"

namespace tritonrl::eval {

// By task, the largest speedup of a correct sample: of the schedules known for it, and of every model compared, since
// what a model found is known from then on. Tasks without a known schedule are left out: models alone are no measure.
std::map<std::string, double> best_known_speedups(const JudgedTasks& schedules,
                                                  const std::vector<const JudgedTasks*>& compared);

}  // namespace tritonrl::eval
