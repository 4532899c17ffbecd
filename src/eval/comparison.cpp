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

void add_terms(const JudgedTasks& first, const JudgedTasks& second, const ScoreConfig& config, bool both_solve,
               std::vector<PairedTerms>& all) {
  const auto [a, b] = common(first, second, both_solve);
  if (a.empty()) return;
  const auto of_b = figure_terms(b, config);
  for (const FigureTerms& figure : figure_terms(a, config)) {
    const bool of_correct = figure.exponential || figure.name == "share_of_best";
    if (of_correct != both_solve) continue;
    const auto other = std::ranges::find(of_b, figure.name, &FigureTerms::name);
    if (other == of_b.end()) continue;
    PairedTerms paired{.figure = figure.name, .exponential = figure.exponential};
    for (const auto& [task, term] : figure.tasks) {
      if (term.denominator == 0 || other->tasks.at(task).denominator == 0) continue;
      paired.first.push_back(counted_once(term));
      paired.second.push_back(counted_once(other->tasks.at(task)));
    }
    if (!paired.first.empty()) all.push_back(std::move(paired));
  }
}

}  // namespace

std::vector<PairedTerms> paired_terms(const JudgedTasks& first, const JudgedTasks& second, const ScoreConfig& config) {
  std::vector<PairedTerms> all;
  add_terms(first, second, config, false, all);
  add_terms(first, second, config, true, all);
  return all;
}

std::vector<std::pair<std::string, Difference>> compare(const JudgedTasks& first, const JudgedTasks& second,
                                                        const ScoreConfig& config) {
  std::vector<std::pair<std::string, Difference>> differences;
  for (const PairedTerms& paired : paired_terms(first, second, config)) {
    const auto value = [&](std::span<const TaskTerm> terms) {
      const double ratio = bootstrap(terms, {.resamples = 0}).value;
      return paired.exponential ? std::exp(ratio) : ratio;
    };
    differences.emplace_back(paired.figure,
                             Difference{.tasks = static_cast<std::int64_t>(paired.first.size()),
                                        .first = value(paired.first),
                                        .second = value(paired.second),
                                        .gain = bootstrap_difference(paired.second, paired.first, config.bootstrap)});
  }
  return differences;
}

}  // namespace tritonrl::eval
