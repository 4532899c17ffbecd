#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "eval/scores.h"

namespace tritonrl::eval {

// A figure of two models, and by how much the second is better, over the tasks that both were asked.
struct Difference {
  double first = 0;
  double second = 0;
  Interval gain = {};  // second - first; for geometric_speedup their ratio's logarithm
};

// By figure, paired by task. geometric_speedup and share_of_best count only tasks that both models solve.
std::vector<std::pair<std::string, Difference>> compare(const JudgedTasks& first, const JudgedTasks& second,
                                                        const ScoreConfig& config);

// Of several sampling temperatures the one with the most correct samples on the dev tasks; on a tie the lowest.
// A gain that colder sampling gives for free is no gain: each model is judged at its own best. Not empty.
double best_temperature(const std::map<double, JudgedTasks>& dev);

}  // namespace tritonrl::eval
