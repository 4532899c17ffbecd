#include "verify/reference_times.h"

#include <cmath>
#include <utility>

#include "verify/timing.h"

namespace tritonrl::verify {
namespace {

constexpr std::size_t kLeast = 3;
constexpr std::size_t kEnough = 6;
constexpr std::size_t kMost = 8;
constexpr double kStandardError = 0.01;  // of the mean
// Where launches are a small part of a call, contexts do not show: a call this long, of operators this long.
constexpr double kLongCallUs = 150;
constexpr double kLongOperatorUs = 20;

double relative_standard_error(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / (count - 1) / count) / middle;
}

}  // namespace

std::size_t ReferenceTimes::wanted_beside(std::uint64_t process, const ReferenceCall& call) const {
  if (call.us > kLongCallUs && call.us > kLongOperatorUs * static_cast<double>(call.operators)) return 0;
  const auto medians_us = medians(by_process());
  const bool told = has(process);
  const std::size_t counted = medians_us.size() + (told ? 0 : 1);
  if (counted < kLeast) return kLeast - counted;
  if (!told || counted >= kEnough) return 0;  // its own may settle it
  return relative_standard_error(medians_us) > kStandardError ? 1 : 0;
}

void ReferenceTimes::tell(std::uint64_t process, std::vector<double> runs_us) {
  const std::scoped_lock lock(mutex_);
  runs_us_.insert_or_assign(process, std::move(runs_us));
  if (runs_us_.size() > kMost) runs_us_.erase(runs_us_.begin());
}

bool ReferenceTimes::has(std::uint64_t process) const {
  const std::scoped_lock lock(mutex_);
  return runs_us_.contains(process);
}

std::vector<std::vector<double>> ReferenceTimes::by_process() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::vector<double>> all;
  all.reserve(runs_us_.size());
  for (const auto& [process, runs_us] : runs_us_) all.push_back(runs_us);
  return all;
}

}  // namespace tritonrl::verify
