#include "eval/judged_sample.h"

namespace tritonrl::eval {
namespace {

bool is_true(const base::Json& verdict, const char* key) {
  const auto found = verdict.find(key);
  return found != verdict.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

JudgedSample judged_sample(const base::Json& verdict, int level, const base::Place& where) {
  if (!verdict.is_object() || !verdict.contains("accepted") || !verdict.contains("task")) {
    throw base::InputError(where, "is no verdict", "judge the sample again: a machine's failure says nothing about it");
  }
  JudgedSample sample{.task = verdict.at("task").get<std::string>(),
                      .level = level,
                      .sample = verdict.value("sample", std::int64_t{0}),
                      .valid = is_true(verdict, "valid"),
                      .compiled = is_true(verdict, "compiled"),
                      .correct = is_true(verdict, "accepted"),
                      .correct_unchecked = is_true(verdict, "correct"),
                      .general = is_true(verdict, "accepted") && is_true(verdict, "general")};
  if (const auto reason = verdict.find("reason"); reason != verdict.end() && reason->is_string()) {
    sample.reason = reason->get<std::string>();
  }
  const auto speedup = verdict.find("speedup");
  if (sample.correct && speedup != verdict.end() && speedup->is_object()) sample.speedup = speedup->value("value", 0.0);
  return sample;
}

JudgedTasks by_task(std::span<const JudgedSample> samples) {
  JudgedTasks tasks;
  for (const JudgedSample& sample : samples) tasks[sample.task].push_back(sample);
  return tasks;
}

}  // namespace tritonrl::eval
