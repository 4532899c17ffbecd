#include "eval/pass_at_k.h"

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace tritonrl::eval {

double pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k) {
  base::check(0 <= c && c <= n && 1 <= k && k <= n, "pass@k of impossible counts");
  if (n - c < k) return 1;
  double all_fail = 1;
  for (std::int64_t i = n - c + 1; i <= n; ++i) all_fail *= 1 - static_cast<double>(k) / static_cast<double>(i);
  return 1 - all_fail;
}

double best_of_k(std::span<const double> values, std::int64_t k) {
  const auto n = static_cast<std::int64_t>(values.size());
  base::check(1 <= k && k <= n, "best of more values than there are");
  std::vector<double> descending(values.begin(), values.end());
  std::ranges::sort(descending, std::greater());
  // The chance that the i-th largest is drawn and no larger one: C(n-i-1, k-1) / C(n, k).
  double expected = 0;
  double chance = static_cast<double>(k) / static_cast<double>(n);
  for (std::int64_t i = 0; i + k <= n; ++i) {
    expected += chance * descending[static_cast<std::size_t>(i)];
    if (n - i - 1 > 0) chance *= static_cast<double>(n - i - k) / static_cast<double>(n - i - 1);
  }
  return expected;
}

}  // namespace tritonrl::eval
