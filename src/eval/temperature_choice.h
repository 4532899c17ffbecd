#pragma once

#include <map>

#include "base/json.h"
#include "eval/scores.h"

namespace tritonrl::eval {

// Which sampling temperature suits a model best, found on tasks that do not count otherwise. A gain that colder
// sampling gives for free is no gain: each model is judged at its own best.
struct TemperatureChoice {
  std::map<double, Scores> tried;
  double chosen = 0;

  // {"chosen", "temperatures": [{"temperature", "tasks", "samples", "figures", "failures"}...]}, the warmest first.
  base::Json json() const;
};

// The one with the most correct samples; on a tie the highest. Not empty.
TemperatureChoice choose_temperature(const std::map<double, JudgedTasks>& dev, const ScoreConfig& config);

}  // namespace tritonrl::eval
