#include "eval/proportion.h"

#include <cmath>
#include <limits>

namespace tritonrl::eval {

Interval proportion(std::int64_t passed, std::int64_t cases) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (cases == 0) return {.value = kNaN, .low = kNaN, .high = kNaN};
  constexpr double kZ = 1.959963984540054;  // 97.5 % of a normal distribution lie below
  const auto n = static_cast<double>(cases);
  const double share = static_cast<double>(passed) / n;
  const double scale = 1 + kZ * kZ / n;
  const double centre = (share + kZ * kZ / (2 * n)) / scale;
  const double reach = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n)) / scale;
  return {.value = share, .low = std::fmax(0, centre - reach), .high = std::fmin(1, centre + reach)};
}

}  // namespace tritonrl::eval
