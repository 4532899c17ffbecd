#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tritonrl::runlog {

// What was measured in one step, in the order in which it is to be read. Names have a group and a slash, as in
// "reward/mean". A value that is not a number says that there was none.
struct StepMetrics {
  std::int64_t step = 0;
  std::vector<std::pair<std::string, double>> values = {};

  void add(std::string name, double value) { values.emplace_back(std::move(name), value); }
};

}  // namespace tritonrl::runlog
