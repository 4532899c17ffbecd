#include "verify/timing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace tritonrl::verify {
namespace {

constexpr int kResamples = 1000;
constexpr double kIdleTailUs = 20;  // that an idle device takes to say so
constexpr double kLongUs = 20e3;
constexpr double kLongCallUs = 150;
constexpr double kLongStepUs = 20;
constexpr double kSettledSpread = 0.1;  // of the median
constexpr double kSlower = 1.1;
constexpr double kLeastGainUs = 2;  // of a memory of answers

template <typename T>
std::vector<T> resampled(const std::vector<T>& values, base::Random& random) {
  std::vector<T> drawn(values.size());
  std::ranges::generate(drawn, [&] { return values[random.below(values.size())]; });
  return drawn;
}

double resampled_us(const std::vector<std::vector<double>>& by_process, base::Random& random) {
  auto drawn = resampled(by_process, random);
  for (auto& runs_us : drawn) runs_us = resampled(runs_us, random);
  return mean(medians(drawn));
}

}  // namespace

TimingPlan TimingPlan::for_reference(double reference_us) {
  return reference_us > kLongUs ? TimingPlan{.warm_ups = 2, .runs = 10} : TimingPlan{};
}

int TimingPlan::even_run(base::Random& random) const {
  return (warm_ups + 1) / 2 * 2 + 2 * static_cast<int>(random.below(static_cast<std::uint64_t>(runs / 2)));
}

std::optional<std::vector<std::vector<double>>> time_by_turns(const std::vector<TimedCall>& calls,
                                                              const TimingPlan& plan) {
  std::vector<std::vector<double>> runs_us(calls.size());
  for (int n = 0; n < plan.warm_ups + plan.runs; ++n) {
    for (std::size_t caller = 0; caller < calls.size(); ++caller) {
      const auto us = calls[caller](n);
      if (!us) return std::nullopt;
      if (n >= plan.warm_ups) runs_us[caller].push_back(*us);
    }
  }
  return runs_us;
}

double call_us(const wire::TimedEvent& timed) { return timed.call_us + std::max(0.0, timed.tail_us - kIdleTailUs); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> medians(const std::vector<std::vector<double>>& by_process) {
  std::vector<double> all;
  std::ranges::transform(by_process, std::back_inserter(all), median);
  return all;
}

bool settled(std::vector<double> runs_us) {
  std::ranges::sort(runs_us);
  const std::size_t quarter = runs_us.size() / 4;
  return runs_us[runs_us.size() - 1 - quarter] - runs_us[quarter] <= kSettledSpread * median(runs_us);
}

bool slower_on_unseen(const std::vector<double>& unseen_us, const std::vector<double>& seen_us) {
  const double usual_us = median(seen_us);
  return std::ranges::min(unseen_us) > std::max(kSlower * usual_us, usual_us + kLeastGainUs);
}

bool processes_differ(double call_us, std::size_t steps) {
  return call_us <= kLongCallUs || call_us <= kLongStepUs * static_cast<double>(steps);
}

bool Certainty::reached(const std::vector<double>& medians_us) const {
  if (medians_us.size() < least || medians_us.size() >= enough) return medians_us.size() >= least;
  const auto count = static_cast<double>(medians_us.size());
  const double middle = mean(medians_us);
  double squares = 0;
  for (const double value : medians_us) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / (count - 1) / count) <= standard_error * middle;
}

Speedup measured_speedup(const Timings& timings, base::Random& random) {
  Speedup speedup;
  speedup.modelled = false;
  speedup.reference_us = mean(medians(timings.reference_us));
  speedup.candidate_us = mean(medians(timings.candidate_us));
  speedup.value = speedup.reference_us / speedup.candidate_us;
  std::vector<double> ratios(kResamples);
  std::ranges::generate(ratios, [&] {
    const double reference_us = resampled_us(timings.reference_us, random);
    return reference_us / resampled_us(timings.candidate_us, random);
  });
  std::ranges::sort(ratios);
  speedup.low = ratios[kResamples / 40];
  speedup.high = ratios[kResamples - 1 - kResamples / 40];
  return speedup;
}

}  // namespace tritonrl::verify
