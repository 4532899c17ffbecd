#include "eval/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace tritonrl::eval {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Ratio {
 public:
  void add(const TaskTerm& term) {
    numerator_ += term.numerator;
    denominator_ += term.denominator;
  }
  double value() const { return denominator_ == 0 ? kNaN : numerator_ / denominator_; }

 private:
  double numerator_ = 0;
  double denominator_ = 0;
};

// Linear between order statistics, as numpy.percentile.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// `figure` of all tasks, and of as many drawn with replacement, again and again.
Interval resample(std::size_t tasks, const BootstrapConfig& config,
                  const std::function<double(std::span<const std::size_t>)>& figure) {
  std::vector<std::size_t> drawn(tasks);
  for (std::size_t i = 0; i < tasks; ++i) drawn[i] = i;
  Interval interval{.value = figure(drawn), .low = kNaN, .high = kNaN};
  if (tasks == 0) return interval;
  base::Random random(config.seed);
  std::vector<double> figures;
  for (int n = 0; n < config.resamples; ++n) {
    for (std::size_t& task : drawn) task = static_cast<std::size_t>(random.below(tasks));
    if (const double value = figure(drawn); !std::isnan(value)) figures.push_back(value);
  }
  if (figures.empty()) return interval;
  std::ranges::sort(figures);
  interval.low = quantile(figures, 0.025);
  interval.high = quantile(figures, 0.975);
  return interval;
}

double ratio_of(std::span<const TaskTerm> terms, std::span<const std::size_t> drawn) {
  Ratio ratio;
  for (const std::size_t task : drawn) ratio.add(terms[task]);
  return ratio.value();
}

}  // namespace

Interval bootstrap(std::span<const TaskTerm> tasks, const BootstrapConfig& config) {
  return resample(tasks.size(), config, [&](std::span<const std::size_t> drawn) { return ratio_of(tasks, drawn); });
}

Interval bootstrap_difference(std::span<const TaskTerm> a, std::span<const TaskTerm> b, const BootstrapConfig& config) {
  base::check(a.size() == b.size(), "paired figures of different tasks");
  return resample(a.size(), config,
                  [&](std::span<const std::size_t> drawn) { return ratio_of(a, drawn) - ratio_of(b, drawn); });
}

}  // namespace tritonrl::eval
