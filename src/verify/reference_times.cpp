#include "verify/reference_times.h"

#include <utility>

namespace tritonrl::verify {
namespace {

constexpr std::size_t kEnough = 3;
constexpr std::size_t kMost = 8;
// Above, launches are too small a part of a call for contexts to show.
constexpr double kShortUs = 150;

}  // namespace

std::size_t ReferenceTimes::lacking(double call_us) const {
  const std::scoped_lock lock(mutex_);
  const std::size_t told = runs_us_.size() + 1;
  return call_us < kShortUs && told < kEnough ? kEnough - told : 0;
}

void ReferenceTimes::tell(std::uint64_t process, std::vector<double> runs_us) {
  const std::scoped_lock lock(mutex_);
  runs_us_.insert_or_assign(process, std::move(runs_us));
  if (runs_us_.size() > kMost) runs_us_.erase(runs_us_.begin());
}

std::vector<std::vector<double>> ReferenceTimes::by_process() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::vector<double>> all;
  for (const auto& [process, runs_us] : runs_us_) all.push_back(runs_us);
  return all;
}

}  // namespace tritonrl::verify
