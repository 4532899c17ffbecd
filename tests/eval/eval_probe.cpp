#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "base/json.h"
#include "eval/comparison.h"

// {"first": [sample...], "second": [sample...], "best_known"} on standard input, a sample {"task", "correct",
// "speedup"}; the second's scores and the differences on standard output.
namespace {

using tritonrl::base::Json;
namespace eval = tritonrl::eval;

eval::JudgedTasks tasks_of(const Json& rows) {
  std::vector<eval::JudgedSample> samples;
  for (const Json& row : rows) {
    const bool correct = row.at("correct");
    samples.push_back({.task = row.at("task"),
                       .level = 1,
                       .valid = true,
                       .compiled = true,
                       .correct = correct,
                       .correct_unchecked = correct,
                       .speedup = correct ? row.at("speedup").get<double>() : 0.0});
  }
  return eval::by_task(samples);
}

}  // namespace

int main() {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const Json request = tritonrl::base::parse_json(text, {.file = "standard input"});
  eval::ScoreConfig config;
  for (const auto& [task, speedup] : request.at("best_known").items()) config.best_known[task] = speedup;
  const auto first = tasks_of(request.at("first"));
  const auto second = tasks_of(request.at("second"));
  Json differences = Json::object();
  for (const auto& [name, found] : eval::compare(first, second, config)) {
    differences[name] = {{"value", found.gain.value}, {"low", found.gain.low}, {"high", found.gain.high}};
  }
  std::cout << tritonrl::base::json_line({{"scores", eval::score(second, config).json()}, {"gain", differences}})
            << '\n';
}
