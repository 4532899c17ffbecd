#pragma once

#include <cstdint>
#include <span>

namespace tritonrl::eval {

// The chance that at least one of k samples passes, from n of which c passed; unbiased (Chen et al., 2021).
// 0 <= c <= n and 1 <= k <= n.
double pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k);

// The expected largest of k values drawn from these without putting back; unbiased. 1 <= k <= values.size().
double best_of_k(std::span<const double> values, std::int64_t k);

}  // namespace tritonrl::eval
