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

}  // namespace tritonrl::eval
