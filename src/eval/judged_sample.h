#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::eval {

// What evaluation keeps of a verdict.
struct JudgedSample {
  std::string task;
  int level = 0;
  std::int64_t sample = 0;
  bool valid = false;  // real Triton that does the work
  bool compiled = false;
  bool correct = false;            // accepted: valid, compiled and right
  bool correct_unchecked = false;  // right results, whoever computed them: as if functionality were not checked
  bool general = false;            // right at sizes nobody listed, too
  double speedup = 0;              // of what is correct; 0 otherwise
  std::string reason = {};         // the rule that rejected it
};

// InputError at `where` for what is no verdict. For correct_unchecked the verifier must not stop at a rejection.
JudgedSample judged_sample(const base::Json& verdict, int level, const base::Place& where);

// Samples by task, tasks by name.
using JudgedTasks = std::map<std::string, std::vector<JudgedSample>>;
JudgedTasks by_task(std::span<const JudgedSample> samples);

// The samples of verdicts.jsonl, or of the folder that holds it; what a machine failed to judge is left out.
JudgedTasks read_verdicts(const std::filesystem::path& path);

}  // namespace tritonrl::eval
