#include "rl/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include "verify/timing.h"

namespace tritonrl::rl {
namespace {

constexpr std::size_t kKept = 64;
constexpr std::size_t kLeast = 8;

std::optional<double> speedup_in(const base::Json& verdict, std::string_view kind) {
  const auto found = verdict.find("speedup");
  if (found == verdict.end() || !found->is_object() || found->value("kind", "") != kind) return std::nullopt;
  const double value = found->value("value", 0.0);
  return value > 0 && verdict.value("accepted", false) ? std::optional(value) : std::nullopt;
}

std::vector<double> log_ratios(std::span<const std::pair<double, double>> pairs) {
  std::vector<double> logs;
  for (const auto& [modelled, measured] : pairs) logs.push_back(std::log(measured / modelled));
  return logs;
}

// Equal values share the mean of their ranks.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = static_cast<double>(first + last - 1) / 2;
    first = last;
  }
  return ranks;
}

}  // namespace

void Calibration::see(std::span<const Group> groups) {
  for (const Group& group : groups) {
    for (const Sample& sample : group.samples) {
      const auto modelled = speedup_in(sample.verdict, "modelled");
      const auto measured = speedup_in(sample.audit, "measured");
      if (modelled && measured) pairs_.emplace_back(*modelled, *measured);
    }
  }
  if (pairs_.size() > kKept) pairs_.erase(pairs_.begin(), pairs_.end() - kKept);
}

double Calibration::factor() const { return pairs_.size() < kLeast ? 1 : std::exp(verify::median(log_ratios(pairs_))); }

double Calibration::error() const {
  if (pairs_.empty()) return 1;
  auto logs = log_ratios(pairs_);
  const double middle = verify::median(logs);
  for (double& value : logs) value = std::abs(value - middle);
  return std::exp(verify::median(std::move(logs)));
}

double Calibration::rank_correlation() const {
  if (pairs_.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> modelled;
  std::vector<double> measured;
  for (const auto& [one, other] : pairs_) {
    modelled.push_back(one);
    measured.push_back(other);
  }
  const auto a = ranks_of(modelled);
  const auto b = ranks_of(measured);
  const double mean = static_cast<double>(pairs_.size() - 1) / 2;
  double both = 0;
  double of_a = 0;
  double of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    of_a += (a[i] - mean) * (a[i] - mean);
    of_b += (b[i] - mean) * (b[i] - mean);
  }
  return both / std::sqrt(of_a * of_b);
}

base::Json Calibration::saved() const { return pairs_; }

void Calibration::go_on_from(const base::Json& saved) { saved.get_to(pairs_); }

}  // namespace tritonrl::rl
