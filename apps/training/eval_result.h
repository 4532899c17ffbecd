#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/training/eval_judge.h"
#include "base/json.h"
#include "eval/comparison.h"
#include "eval/temperature_choice.h"

namespace tritonrl::apps {

// What an evaluation is set against: folders of others, and what is new in the tasks. Any may be empty.
struct BackgroundConfig {
  std::string against;
  std::string best_known;
  std::string slices;
};

struct Background {
  BackgroundConfig config = {};
  eval::JudgedTasks earlier = {};
  eval::JudgedTasks known = {};  // schedules
  eval::Slices slices = {};
};
Background read_background(const BackgroundConfig& config);

// The figures of one evaluation, for eval.json and for people.
struct EvalResult {
  std::vector<std::pair<std::string, eval::Scores>> levels = {};
  std::vector<std::pair<std::string, eval::Scores>> slices = {};
  std::string compared_with = {};  // empty: with nothing
  std::vector<std::pair<std::string, eval::Difference>> differences = {};
  std::size_t not_judged = 0;

  base::Json json() const;
  std::string table() const;
};

// InputError where the background holds none of these tasks.
EvalResult result_of(const Judged& judged, const Background& background, const std::vector<std::int64_t>& ks);

std::string choice_table(const eval::TemperatureChoice& choice);

}  // namespace tritonrl::apps
