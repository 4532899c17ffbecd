#include "verify/timing.h"

#include <algorithm>

namespace tritonrl::verify {
namespace {

constexpr int kResamples = 1000;
constexpr double kIdleTailUs = 20;  // that an idle device takes to say so
constexpr double kLongUs = 20e3;

std::vector<double> resampled(const std::vector<double>& values, base::Random& random) {
  std::vector<double> drawn(values.size());
  std::ranges::generate(drawn, [&] { return values[random.below(values.size())]; });
  return drawn;
}

}  // namespace

TimingPlan TimingPlan::for_reference(double reference_us) {
  return reference_us > kLongUs ? TimingPlan{.warm_ups = 2, .runs = 10} : TimingPlan{};
}

int TimingPlan::even_run(base::Random& random) const {
  return (warm_ups + 1) / 2 * 2 + 2 * static_cast<int>(random.below(static_cast<std::uint64_t>(runs / 2)));
}

double call_us(const wire::TimedEvent& timed) { return timed.call_us + std::max(0.0, timed.tail_us - kIdleTailUs); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Speedup measured_speedup(const Timings& timings, base::Random& random) {
  Speedup speedup;
  speedup.modelled = false;
  speedup.reference_us = median(timings.reference_us);
  speedup.candidate_us = median(timings.candidate_us);
  speedup.value = speedup.reference_us / speedup.candidate_us;
  std::vector<double> ratios(kResamples);
  std::ranges::generate(ratios, [&] {
    const double reference_us = median(resampled(timings.reference_us, random));
    return reference_us / median(resampled(timings.candidate_us, random));
  });
  std::ranges::sort(ratios);
  speedup.low = ratios[kResamples / 40];
  speedup.high = ratios[kResamples - 1 - kResamples / 40];
  return speedup;
}

}  // namespace tritonrl::verify
