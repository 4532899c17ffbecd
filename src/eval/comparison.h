#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "eval/scores.h"

namespace tritonrl::eval {

// What each task that both models were asked adds to a figure: item i of both is the same task. Each counts once.
struct PairedTerms {
  std::string figure;
  std::vector<TaskTerm> first = {};
  std::vector<TaskTerm> second = {};
  bool exponential = false;
};

// By figure. geometric_speedup and share_of_best are over tasks that both models solve: a model that is right more
// often where kernels are fast does not gain by it.
std::vector<PairedTerms> paired_terms(const JudgedTasks& first, const JudgedTasks& second, const ScoreConfig& config);

// A figure of two models, and by how much the second is better, over the tasks that both were asked.
struct Difference {
  std::int64_t tasks = 0;
  double first = 0;
  double second = 0;
  Interval gain = {};  // second - first; for geometric_speedup their ratio's logarithm
};

// Of the paired_terms.
std::vector<std::pair<std::string, Difference>> compare(const JudgedTasks& first, const JudgedTasks& second,
                                                        const ScoreConfig& config);

}  // namespace tritonrl::eval
