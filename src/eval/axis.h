#pragma once

#include <limits>
#include <string>
#include <vector>

namespace tritonrl::eval {

// The values that an axis of a chart spans.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value);
  bool empty() const { return low > high; }
  // One value alone gets room around it.
  void widen();
};

// About five steps of 1, 2 or 5 times a power of ten.
std::vector<double> ticks(const Range& range);
std::string tick_text(double value);

}  // namespace tritonrl::eval
