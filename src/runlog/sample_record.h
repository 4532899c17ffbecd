#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::runlog {

// A response as training saw it: one line of samples/step-NNNNNN.jsonl, and a sample that `verify` takes.
struct SampleRecord {
  std::string task;
  int level = 0;
  std::int64_t sample = 0;       // its number in the group
  std::int64_t policy_step = 0;  // whose weights wrote it
  std::string prompt = {};
  std::string response = {};
  std::vector<std::int32_t> token_ids = {};
  std::string classes = {};            // a letter for each token: p plan, c code
  std::vector<float> logprobs = {};    // as sampled
  std::vector<float> advantages = {};  // for each token
  std::string finish = {};             // "stop", "length"
  double reward_correct = 0;
  double reward_speedup = 0;
  base::Json verdict = {};
  base::Json audit = {};  // a second verdict in full, where there is one

  base::Json json() const;
  static SampleRecord from_json(const base::Json& row, const base::Place& where);
};

// All of a step's, at once: a kill leaves either all or none.
void write_samples(const std::filesystem::path& file, const std::vector<SampleRecord>& samples);
std::vector<SampleRecord> read_samples(const std::filesystem::path& file);

}  // namespace tritonrl::runlog
