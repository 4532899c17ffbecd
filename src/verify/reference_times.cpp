#include "verify/reference_times.h"

#include <utility>

namespace tritonrl::verify {
namespace {

constexpr std::size_t kMost = 8;

}  // namespace

std::size_t ReferenceTimes::wanted_beside(std::uint64_t process, const ReferenceCall& call,
                                          const Certainty& certainty) const {
  if (!processes_differ(call.us, call.operators)) return 0;
  const auto medians_us = medians(by_process());
  const bool told = has(process);
  const std::size_t counted = medians_us.size() + (told ? 0 : 1);
  if (counted < certainty.least) return certainty.least - counted;
  if (!told) return 0;  // its own may settle it
  return certainty.reached(medians_us) ? 0 : 1;
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
