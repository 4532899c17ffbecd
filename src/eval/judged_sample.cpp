#include "eval/judged_sample.h"

#include "verify/verdict_facts.h"

namespace tritonrl::eval {

JudgedSample judged_sample(const base::Json& verdict, int level, const base::Place& where) {
  const verify::VerdictFacts facts = verify::read_facts(verdict, where);
  return {.task = base::JsonFields(verdict, where).text("task"),
          .level = level,
          .sample = verdict.value("sample", std::int64_t{0}),
          .valid = facts.valid,
          .compiled = facts.compiled,
          .correct = facts.accepted,
          .correct_unchecked = facts.right_results,
          .general = facts.accepted && facts.general,
          .speedup = facts.accepted ? facts.speedup : 0,
          .reason = facts.reason};
}

JudgedTasks by_task(std::span<const JudgedSample> samples) {
  JudgedTasks tasks;
  for (const JudgedSample& sample : samples) tasks[sample.task].push_back(sample);
  return tasks;
}

JudgedTasks read_verdicts(const std::filesystem::path& path) {
  const std::filesystem::path file = std::filesystem::is_directory(path) ? path / "verdicts.jsonl" : path;
  std::vector<JudgedSample> samples;
  base::JsonLines rows(file, std::size_t{64} << 20);
  while (const auto row = rows.next()) {
    if (row->value.contains("error")) continue;
    samples.push_back(judged_sample(row->value, row->value.value("level", 0), row->where));
  }
  return by_task(samples);
}

}  // namespace tritonrl::eval
