#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "eval/bootstrap.h"
#include "eval/judged_sample.h"

namespace tritonrl::eval {

struct ScoreConfig {
  std::vector<std::int64_t> ks = {1, 5, 10};  // those above the samples of a task are left out
  std::vector<double> fast = {0, 0.5, 0.8, 1, 1.5, 2};
  // By task, best_known.h; tasks that are not here have no share of it.
  std::map<std::string, double> best_known = {};
  BootstrapConfig bootstrap = {};
};

// The figures of a set of tasks, by name:
//   valid@k compiled@k correct@k general@k unchecked@k   unbiased pass@k; unchecked: correct if functionality were not
//   fast_p@k          correct, and more than p times as fast
//   mean_speedup@k    of the best of k, failures as 0 (the paper's)
//   geometric_speedup over correct samples
//   share_of_best     speedup over the best known one, at most 1: mean of a task's correct samples, then of tasks
struct Scores {
  std::int64_t tasks = 0;
  std::int64_t samples = 0;
  std::vector<std::pair<std::string, Interval>> figures = {};
  std::map<std::string, std::int64_t> failures = {};  // by rule

  const Interval* find(const std::string& name) const;
  base::Json json() const;
};

// What each task adds to a figure, tasks by name; the figure is ratio(terms), or its exponential where `exponential`.
// Figures are linear in the terms, so that two models' can be compared by task.
struct FigureTerms {
  std::string name;
  std::map<std::string, TaskTerm> tasks = {};
  bool exponential = false;
};
std::vector<FigureTerms> figure_terms(const JudgedTasks& tasks, const ScoreConfig& config);

Scores score(const JudgedTasks& tasks, const ScoreConfig& config);

// "all", and "level 1"... for the levels that there are.
std::vector<std::pair<std::string, Scores>> score_by_level(const JudgedTasks& tasks, const ScoreConfig& config);

// In what the tasks of a test differ from all of train, by task (`tritonrl data split`).
using Slices = std::map<std::string, std::vector<std::string>>;
// The slices that there are; a task counts in each of its own.
std::vector<std::pair<std::string, Scores>> score_by_slice(const JudgedTasks& tasks, const Slices& slices,
                                                           const ScoreConfig& config);

}  // namespace tritonrl::eval
