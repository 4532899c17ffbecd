#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "task/task.h"

namespace tritonrl::data {

struct SplitConfig {
  double dev_share = 0.1;
  double test_share = 0.1;
  std::uint64_t seed = 0;
};

// A task of the test part, and in what it differs from all of train.
struct TestTask {
  task::Task task;
  // "unseen-size": the graph is known, the sizes are not. "unseen-composition": no trained task combines these
  // operators, or, without a graph, is the same program. "unseen-pair": one reads another as in no trained task.
  // "longer": one operator more than any trained.
  std::vector<std::string> slices;
};

struct Split {
  std::vector<task::Task> train;
  std::vector<task::Task> dev;
  std::vector<TestTask> test;

  base::Json json() const;  // the counts
};

// Three parts without a task in common: tasks with the same graph (or, where none was recorded, the same tree) stay
// together, but for the unseen sizes of the test. The same for the same tasks and seed, in whatever order they come.
Split split_tasks(std::vector<task::Task> tasks, const SplitConfig& config);

}  // namespace tritonrl::data
