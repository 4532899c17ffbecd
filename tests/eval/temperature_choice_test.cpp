#include "eval/temperature_choice.h"

#include <gtest/gtest.h>

namespace tritonrl::eval {
namespace {

// Tasks in `right` samples of ten each.
JudgedTasks tasks_with(const std::vector<int>& right) {
  std::vector<JudgedSample> samples;
  for (std::size_t task = 0; task < right.size(); ++task) {
    for (int n = 0; n < 10; ++n) {
      samples.push_back({.task = "t" + std::to_string(task), .level = 1, .correct = n < right[task]});
    }
  }
  return by_task(samples);
}

TEST(TemperatureChoice, IsByCorrectSamplesAndOnATieTheHighest) {
  // 0.1 + 0.2 + 0.3 in another order is not the same number.
  const std::map<double, JudgedTasks> dev = {
      {0.3, tasks_with({2, 2, 1})}, {0.6, tasks_with({3, 2, 1})}, {1.0, tasks_with({1, 2, 3})}};
  EXPECT_EQ(choose_temperature(dev, {.ks = {1}}).chosen, 1.0);
  EXPECT_EQ(choose_temperature({{0.3, tasks_with({1, 1})}, {1.0, tasks_with({1, 0})}}, {.ks = {1}}).chosen, 0.3);
}

TEST(TemperatureChoice, SaysWhatWasTriedTheWarmestFirst) {
  const auto choice = choose_temperature({{0.3, tasks_with({10, 0})}, {1.0, tasks_with({5, 4})}}, {.ks = {1}});
  const base::Json json = choice.json();
  EXPECT_EQ(json.at("chosen"), 0.3);
  ASSERT_EQ(json.at("temperatures").size(), 2U);
  EXPECT_EQ(json.at("temperatures")[0].at("temperature"), 1.0);
  const base::Json& correct = json.at("temperatures")[1].at("figures").at("correct@1");
  EXPECT_EQ(correct.at("value"), 0.5);
  EXPECT_EQ(correct.at("low"), 0.0);
  EXPECT_EQ(correct.at("high"), 1.0);
}

}  // namespace
}  // namespace tritonrl::eval
