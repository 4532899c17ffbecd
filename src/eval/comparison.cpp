#include "eval/comparison.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::eval {
namespace {

bool solved(const std::vector<JudgedSample>& samples) { return std::ranges::any_of(samples, &JudgedSample::correct); }

// Only tasks that both have.
std::pair<JudgedTasks, JudgedTasks> common(const JudgedTasks& first, const JudgedTasks& second, bool both_solve) {
  std::pair<JudgedTasks, JudgedTasks> both;
  for (const auto& [task, samples] : first) {
    const auto other = second.find(task);
    if (other == second.end()) continue;
    if (both_solve && !(solved(samples) && solved(other->second))) continue;
    both.first.emplace(task, samples);
    both.second.emplace(task, other->second);
  }
  return both;
}

TaskTerm counted_once(const TaskTerm& term) { return {.numerator = term.numerator / term.denominator}; }

void add_differences(const JudgedTasks& first, const JudgedTasks& second, const ScoreConfig& config, bool both_solve,
                     std::vector<std::pair<std::string, Difference>>& differences) {
  const auto [a, b] = common(first, second, both_solve);
  if (a.empty()) return;
  const auto of_b = figure_terms(b, config);
  for (const FigureTerms& figure : figure_terms(a, config)) {
    const bool of_correct = figure.exponential || figure.name == "share_of_best";
    if (of_correct != both_solve) continue;
    const auto other = std::ranges::find(of_b, figure.name, &FigureTerms::name);
    if (other == of_b.end()) continue;
    std::vector<TaskTerm> left;
    std::vector<TaskTerm> right;
    for (const auto& [task, term] : figure.tasks) {
      if (term.denominator == 0 || other->tasks.at(task).denominator == 0) continue;
      left.push_back(counted_once(term));
      right.push_back(counted_once(other->tasks.at(task)));
    }
    if (left.empty()) continue;
    const auto value = [&](std::span<const TaskTerm> terms) {
      const double ratio = bootstrap(terms, {.resamples = 0}).value;
      return figure.exponential ? std::exp(ratio) : ratio;
    };
    differences.emplace_back(figure.name, Difference{.tasks = static_cast<std::int64_t>(left.size()),
                                                     .first = value(left),
                                                     .second = value(right),
                                                     .gain = bootstrap_difference(right, left, config.bootstrap)});
  }
}

}  // namespace

std::vector<std::pair<std::string, Difference>> compare(const JudgedTasks& first, const JudgedTasks& second,
                                                        const ScoreConfig& config) {
  std::vector<std::pair<std::string, Difference>> differences;
  add_differences(first, second, config, false, differences);
  add_differences(first, second, config, true, differences);
  return differences;
}

}  // namespace tritonrl::eval
