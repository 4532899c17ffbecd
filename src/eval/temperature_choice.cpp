#include "eval/temperature_choice.h"

#include <ranges>

#include "base/error.h"

namespace tritonrl::eval {
namespace {

double correct_share(const JudgedTasks& tasks) {
  const Scores scores = score(tasks, {.ks = {1}, .fast = {}, .bootstrap = {.resamples = 0}});
  const Interval* correct = scores.find("correct@1");
  return correct == nullptr ? 0 : correct->value;
}

}  // namespace

TemperatureChoice choose_temperature(const std::map<double, JudgedTasks>& dev, const ScoreConfig& config) {
  base::check(!dev.empty(), "the best of no temperature");
  constexpr double kRounding = 1e-9;  // of sums in another order
  TemperatureChoice choice;
  double most = -1;
  for (const auto& [temperature, tasks] : dev) {
    choice.tried[temperature] = score(tasks, config);
    const double share = correct_share(tasks);
    if (share < most - kRounding) continue;
    most = share;
    choice.chosen = temperature;
  }
  return choice;
}

base::Json TemperatureChoice::json() const {
  base::Json temperatures = base::Json::array();
  for (const auto& [temperature, scores] : tried | std::views::reverse) {
    base::Json row = {{"temperature", temperature}};
    row.update(scores.json());
    temperatures.push_back(std::move(row));
  }
  return {{"chosen", chosen}, {"temperatures", std::move(temperatures)}};
}

}  // namespace tritonrl::eval
