#include "apps/training/eval_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

#include "base/error.h"
#include "eval/best_known.h"

namespace tritonrl::apps {
namespace {

using base::Json;

void require_shared_tasks(const eval::JudgedTasks& other, const eval::JudgedTasks& tasks, const std::string& path) {
  if (path.empty() || std::ranges::any_of(other, [&](const auto& one) { return tasks.contains(one.first); })) return;
  throw base::InputError({.file = path}, "holds verdicts of none of these tasks", "evaluate both on the same suite");
}

std::string interval_text(const eval::Interval* interval) {
  if (interval == nullptr) return "";
  if (std::isnan(interval->value)) return "-";
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", interval->value, interval->low, interval->high);
}

std::string scores_table(const decltype(EvalResult::levels)& parts) {
  std::string text = fmt::format("{:<20}", "");
  for (const auto& [name, scores] : parts) {
    text += fmt::format("{:<32}", fmt::format("{} ({} tasks)", name, scores.tasks));
  }
  text += '\n';
  for (const auto& [figure, all] : parts.front().second.figures) {
    text += fmt::format("{:<20}", figure);
    for (const auto& [name, scores] : parts) text += fmt::format("{:<32}", interval_text(scores.find(figure)));
    text += '\n';
  }
  const auto& failures = parts.front().second.failures;
  std::vector<std::pair<std::string, std::int64_t>> rules(failures.begin(), failures.end());
  std::ranges::stable_sort(rules, std::greater(), &std::pair<std::string, std::int64_t>::second);
  for (const auto& [rule, count] : rules) text += fmt::format("rejected: {:<40} {}\n", rule, count);
  return text;
}

std::string differences_table(const decltype(EvalResult::differences)& differences) {
  std::string text = "against, paired by task\n";
  for (const auto& [name, found] : differences) {
    text += fmt::format("{:<20}{:+.3f} [{:+.3f}, {:+.3f}]  {:.3f} -> {:.3f}  {} tasks\n", name, found.gain.value,
                        found.gain.low, found.gain.high, found.first, found.second, found.tasks);
  }
  return text;
}

eval::Slices read_slices(const std::string& file) {
  eval::Slices slices;
  base::JsonLines rows(file, std::size_t{1} << 20);
  while (const auto row = rows.next()) {
    base::JsonFields fields(row->value, row->where);
    std::vector<std::string>& own = slices[fields.text("task")];
    const Json* names = fields.optional_value("slices");
    if (names == nullptr || !names->is_array()) fields.refuse("slices", "must be an array of names");
    for (const Json& name : *names) {
      if (!name.is_string()) fields.refuse_type("slices", "an array of names", name);
      own.push_back(name.get<std::string>());
    }
  }
  return slices;
}

}  // namespace

Background read_background(const BackgroundConfig& config) {
  Background background{.config = config};
  if (!config.against.empty()) background.earlier = eval::read_verdicts(config.against);
  if (!config.best_known.empty()) background.known = eval::read_verdicts(config.best_known);
  if (!config.slices.empty()) background.slices = read_slices(config.slices);
  return background;
}

EvalResult result_of(const Judged& judged, const Background& background, const std::vector<std::int64_t>& ks) {
  require_shared_tasks(background.earlier, judged.tasks, background.config.against);
  require_shared_tasks(background.known, judged.tasks, background.config.best_known);
  eval::ScoreConfig config{.ks = ks};
  if (!background.config.best_known.empty()) {
    config.best_known = eval::best_known_speedups(background.known, {&background.earlier, &judged.tasks});
  }
  EvalResult result{.levels = eval::score_by_level(judged.tasks, config),
                    .slices = eval::score_by_slice(judged.tasks, background.slices, config),
                    .compared_with = background.config.against,
                    .not_judged = judged.not_judged};
  if (!result.compared_with.empty()) {
    result.differences = eval::compare(background.earlier, judged.tasks, config);
  }
  return result;
}

Json EvalResult::json() const {
  Json json = {{"not_judged", not_judged}, {"levels", Json::object()}};
  for (const auto& [name, scores] : levels) json["levels"][name] = scores.json();
  for (const auto& [name, scores] : slices) json["slices"][name] = scores.json();
  if (!compared_with.empty()) json["compared_with"] = compared_with;
  for (const auto& [name, found] : differences) {
    json["against"][name] = {{"tasks", found.tasks},     {"first", found.first},  {"second", found.second},
                             {"gain", found.gain.value}, {"low", found.gain.low}, {"high", found.gain.high}};
  }
  return json;
}

std::string EvalResult::table() const {
  auto parts = levels;
  if (parts.size() == 2) parts.pop_back();  // the only level is all
  parts.insert(parts.end(), slices.begin(), slices.end());
  return scores_table(parts) + (differences.empty() ? "" : "\n" + differences_table(differences));
}

std::string choice_table(const eval::TemperatureChoice& choice) {
  constexpr const char* kShown[] = {"valid@1", "correct@1", "fast_1@1", "mean_speedup@1"};
  std::string text = fmt::format("{:<20}", "temperature");
  for (const char* figure : kShown) text += fmt::format("{:<24}", figure);
  text += '\n';
  for (const auto& [temperature, scores] : choice.tried | std::views::reverse) {
    text += fmt::format("{:<20}", fmt::format("{:g}{}", temperature, temperature == choice.chosen ? "  chosen" : ""));
    for (const char* figure : kShown) text += fmt::format("{:<24}", interval_text(scores.find(figure)));
    text += '\n';
  }
  return text;
}

}  // namespace tritonrl::apps
