#pragma once

#include <map>
#include <string>
#include <vector>

#include "eval/judged_sample.h"

namespace tritonrl::eval {

// By task, the largest speedup of a correct sample in any of these: of known schedules, and of every model compared,
// since what a model found is known from then on. Tasks that nobody solved are left out.
std::map<std::string, double> best_known_speedups(const std::vector<const JudgedTasks*>& found);

}  // namespace tritonrl::eval
