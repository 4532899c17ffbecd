#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "eval/judged_sample.h"
#include "verify/verifier.h"

namespace tritonrl::apps {

struct Judged {
  std::vector<verify::Candidate> candidates = {};
  std::vector<base::Json> verdicts = {};
  eval::JudgedTasks tasks = {};
  std::size_t not_judged = 0;
  std::size_t machine_failures = 0;  // of these; the others are of tasks whose own reference fails

  // HostError where a machine failed: what it did not judge is no failure of a candidate.
  void require_all() const;
  // verdicts.jsonl, each row with its task's level.
  void write_verdicts(const std::filesystem::path& folder) const;
};

// One verifier for all that a command judges. In full, past rejections too: "correct if functionality were not checked"
// is one of the figures. At depth train as steps of RL judge.
class EvalJudge {
 public:
  // `jobs` 0: as many as suit the device.
  EvalJudge(const std::string& device, unsigned jobs, verify::Depth depth);

  // On a GPU the verifier ends with it, since it takes most of the memory, which the model needs in between.
  Judged judge(std::vector<verify::Candidate> candidates);

 private:
  verify::VerifierConfig config_;
  std::unique_ptr<verify::Verifier> verifier_;
};

}  // namespace tritonrl::apps
