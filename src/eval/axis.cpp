#include "eval/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tritonrl::eval {

void Range::include(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

void Range::widen() {
  if (low != high) return;
  if (low != 0) low -= 0.5;
  high += low == 0 ? 1 : 0.5;
}

std::vector<double> ticks(const Range& range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> values;
  for (double n = std::ceil(range.low / step); n * step <= range.high + step * 1e-9; ++n) {
    values.push_back(n * step + 0.0);  // or the text of -0.0 were "-0"
  }
  return values;
}

std::string tick_text(double value) {
  if (std::abs(value) >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:.3g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

}  // namespace tritonrl::eval
