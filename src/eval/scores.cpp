#include "eval/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "eval/pass_at_k.h"

namespace tritonrl::eval {
namespace {

using Passes = std::function<bool(const JudgedSample&)>;

FigureTerms pass_terms(std::string name, const JudgedTasks& tasks, std::int64_t k, const Passes& passes) {
  FigureTerms terms{.name = std::move(name)};
  for (const auto& [task, samples] : tasks) {
    const auto n = static_cast<std::int64_t>(samples.size());
    terms.tasks[task] = {.numerator = pass_at_k(n, std::ranges::count_if(samples, passes), k)};
  }
  return terms;
}

FigureTerms best_speedup_terms(std::int64_t k, const JudgedTasks& tasks) {
  FigureTerms terms{.name = fmt::format("mean_speedup@{}", k)};
  for (const auto& [task, samples] : tasks) {
    std::vector<double> speedups;
    for (const JudgedSample& sample : samples) speedups.push_back(sample.speedup);
    terms.tasks[task] = {.numerator = best_of_k(speedups, k)};
  }
  return terms;
}

// Sums over correct samples; a task without any adds nothing.
FigureTerms correct_terms(std::string name, const JudgedTasks& tasks,
                          const std::function<double(const JudgedSample&)>& value) {
  FigureTerms terms{.name = std::move(name)};
  for (const auto& [task, samples] : tasks) {
    TaskTerm& term = terms.tasks[task];
    term = {.numerator = 0, .denominator = 0};
    for (const JudgedSample& sample : samples) {
      if (!sample.correct || sample.speedup <= 0) continue;
      term.numerator += value(sample);
      term.denominator += 1;
    }
  }
  return terms;
}

FigureTerms share_terms(const JudgedTasks& tasks, const std::map<std::string, double>& best_known) {
  JudgedTasks known;
  for (const auto& [task, samples] : tasks) {
    if (best_known.contains(task)) known.emplace(task, samples);
  }
  FigureTerms terms = correct_terms("share_of_best", known, [&](const JudgedSample& sample) {
    return std::min(1.0, sample.speedup / best_known.at(sample.task));
  });
  for (auto& [task, term] : terms.tasks) {
    if (term.denominator > 0) term = {.numerator = term.numerator / term.denominator};
  }
  return terms;
}

std::int64_t fewest_samples(const JudgedTasks& tasks) {
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const auto& [task, samples] : tasks) fewest = std::min(fewest, static_cast<std::int64_t>(samples.size()));
  return fewest;
}

std::vector<TaskTerm> values_of(const std::map<std::string, TaskTerm>& tasks) {
  std::vector<TaskTerm> values;
  for (const auto& [task, term] : tasks) values.push_back(term);
  return values;
}

}  // namespace

std::vector<FigureTerms> figure_terms(const JudgedTasks& tasks, const ScoreConfig& config) {
  std::vector<FigureTerms> figures;
  const std::int64_t most = fewest_samples(tasks);
  for (const std::int64_t k : config.ks) {
    if (k > most) continue;
    const auto add = [&](const std::string& name, const Passes& passes) {
      figures.push_back(pass_terms(fmt::format("{}@{}", name, k), tasks, k, passes));
    };
    add("valid", [](const JudgedSample& sample) { return sample.valid; });
    add("compiled", [](const JudgedSample& sample) { return sample.valid && sample.compiled; });
    add("correct", [](const JudgedSample& sample) { return sample.correct; });
    add("general", [](const JudgedSample& sample) { return sample.general; });
    add("unchecked", [](const JudgedSample& sample) { return sample.correct_unchecked; });
    for (const double p : config.fast) {
      add(fmt::format("fast_{:g}", p),
          [p](const JudgedSample& sample) { return sample.correct && sample.speedup > p; });
    }
    figures.push_back(best_speedup_terms(k, tasks));
  }
  figures.push_back(
      correct_terms("geometric_speedup", tasks, [](const JudgedSample& s) { return std::log(s.speedup); }));
  figures.back().exponential = true;
  if (!config.best_known.empty()) figures.push_back(share_terms(tasks, config.best_known));
  return figures;
}

Scores score(const JudgedTasks& tasks, const ScoreConfig& config) {
  Scores scores{.tasks = static_cast<std::int64_t>(tasks.size())};
  for (const auto& [task, samples] : tasks) {
    scores.samples += static_cast<std::int64_t>(samples.size());
    for (const JudgedSample& sample : samples) {
      if (!sample.correct) ++scores.failures[sample.reason.empty() ? "rejected" : sample.reason];
    }
  }
  if (tasks.empty()) return scores;
  for (const FigureTerms& figure : figure_terms(tasks, config)) {
    Interval interval = bootstrap(values_of(figure.tasks), config.bootstrap);
    if (figure.exponential) {
      interval = {.value = std::exp(interval.value), .low = std::exp(interval.low), .high = std::exp(interval.high)};
    }
    scores.figures.emplace_back(figure.name, interval);
  }
  return scores;
}

std::vector<std::pair<std::string, Scores>> score_by_level(const JudgedTasks& tasks, const ScoreConfig& config) {
  std::vector<std::pair<std::string, Scores>> all = {{"all", score(tasks, config)}};
  std::map<int, JudgedTasks> levels;
  for (const auto& [task, samples] : tasks) levels[samples.front().level].emplace(task, samples);
  for (const auto& [level, of_level] : levels) {
    all.emplace_back(fmt::format("level {}", level), score(of_level, config));
  }
  return all;
}

std::vector<std::pair<std::string, Scores>> score_by_slice(const JudgedTasks& tasks, const Slices& slices,
                                                           const ScoreConfig& config) {
  std::map<std::string, JudgedTasks> parts;
  for (const auto& [task, samples] : tasks) {
    const auto found = slices.find(task);
    if (found == slices.end()) continue;
    for (const std::string& slice : found->second) parts[slice].emplace(task, samples);
  }
  std::vector<std::pair<std::string, Scores>> all;
  for (const auto& [slice, of_slice] : parts) all.emplace_back(slice, score(of_slice, config));
  return all;
}

const Interval* Scores::find(const std::string& name) const {
  const auto found = std::ranges::find(figures, name, &std::pair<std::string, Interval>::first);
  return found == figures.end() ? nullptr : &found->second;
}

base::Json Scores::json() const {
  base::Json values = base::Json::object();
  const auto number = [](double value) { return std::isfinite(value) ? base::Json(value) : base::Json(); };
  for (const auto& [name, interval] : figures) {
    values[name] = {{"value", number(interval.value)}, {"low", number(interval.low)}, {"high", number(interval.high)}};
  }
  return {{"tasks", tasks}, {"samples", samples}, {"figures", std::move(values)}, {"failures", failures}};
}

}  // namespace tritonrl::eval
