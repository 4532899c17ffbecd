#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tritonrl::eval {

// What one task adds to a figure that is a ratio of sums over tasks. A mean over tasks has denominators 1.
struct TaskTerm {
  double numerator = 0;
  double denominator = 1;
};

// A figure and its 95 % confidence interval; all are NaN where there is nothing to divide by.
struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;

  bool above_zero() const { return low > 0; }
};

struct BootstrapConfig {
  int resamples = 4000;
  std::uint64_t seed = 1;
};

// Percentile bootstrap over tasks: samples of one task are not independent, tasks are.
Interval bootstrap(std::span<const TaskTerm> tasks, const BootstrapConfig& config = {});

// ratio(a) - ratio(b), paired: item i of both is the same task, drawn together.
Interval bootstrap_difference(std::span<const TaskTerm> a, std::span<const TaskTerm> b,
                              const BootstrapConfig& config = {});

// The mean over seeds of the mean over a seed's tasks; none is empty. Seeds are drawn, then tasks of each that was
// drawn, since two trainings of the same kind differ by more than their tasks. One seed: tasks alone.
Interval bootstrap_seeds(std::span<const std::vector<double>> seeds, const BootstrapConfig& config = {});

}  // namespace tritonrl::eval
