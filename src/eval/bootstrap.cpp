#include "eval/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
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

Interval percentiles(double value, std::vector<double> resampled) {
  if (resampled.empty()) return {.value = value, .low = kNaN, .high = kNaN};
  std::ranges::sort(resampled);
  return {.value = value, .low = quantile(resampled, 0.025), .high = quantile(resampled, 0.975)};
}

// `figure` of all tasks, and of as many drawn with replacement, again and again.
Interval resample(std::size_t tasks, const BootstrapConfig& config,
                  const std::function<double(std::span<const std::size_t>)>& figure) {
  std::vector<std::size_t> drawn(tasks);
  for (std::size_t i = 0; i < tasks; ++i) drawn[i] = i;
  const double value_of_all = figure(drawn);
  if (tasks == 0) return percentiles(value_of_all, {});
  base::Random random(config.seed);
  std::vector<double> figures;
  for (int n = 0; n < config.resamples; ++n) {
    for (std::size_t& task : drawn) task = static_cast<std::size_t>(random.below(tasks));
    if (const double value = figure(drawn); !std::isnan(value)) figures.push_back(value);
  }
  return percentiles(value_of_all, std::move(figures));
}

double ratio_of(std::span<const TaskTerm> terms, std::span<const std::size_t> drawn) {
  Ratio ratio;
  for (const std::size_t task : drawn) ratio.add(terms[task]);
  return ratio.value();
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double mean_of_drawn(std::span<const double> values, base::Random& random) {
  double sum = 0;
  for (std::size_t n = 0; n < values.size(); ++n) sum += values[random.below(values.size())];
  return sum / static_cast<double>(values.size());
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

Interval bootstrap_seeds(std::span<const std::vector<double>> seeds, const BootstrapConfig& config) {
  if (seeds.empty()) return percentiles(kNaN, {});
  std::vector<double> of_seeds;
  for (const auto& tasks : seeds) {
    base::check(!tasks.empty(), "a seed without tasks has no mean");
    of_seeds.push_back(mean(tasks));
  }
  const double value_of_all = mean(of_seeds);
  base::Random random(config.seed);
  std::vector<double> figures;
  for (int n = 0; n < config.resamples; ++n) {
    for (double& of_seed : of_seeds) {
      const std::size_t drawn = seeds.size() == 1 ? 0 : static_cast<std::size_t>(random.below(seeds.size()));
      of_seed = mean_of_drawn(seeds[drawn], random);
    }
    figures.push_back(mean(of_seeds));
  }
  return percentiles(value_of_all, std::move(figures));
}

}  // namespace tritonrl::eval
