#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "task/prompt.h"
#include "verify/verifier.h"

namespace tritonrl::data {

// all: every response with code. valid: real Triton that does the work. correct: what the verifier accepts. best: of
// each task the accepted one with the largest speedup.
enum class Keep : std::uint8_t { kAll, kValid, kCorrect, kBest };
std::optional<Keep> keep_named(std::string_view name);

struct CurateConfig {
  std::filesystem::path tasks;
  std::filesystem::path samples;
  std::filesystem::path out;
  Keep keep = Keep::kCorrect;
  std::map<int, double> shares;  // of levels in what is kept; empty: as they come
  bool keep_duplicates = false;
  std::uint64_t seed = 0;  // of the choice where a level has too many
  task::PromptKind prompt = task::PromptKind::kTraining;
};

struct CurateReport {
  std::size_t rows = 0;
  std::size_t kept = 0;
  std::map<std::string, std::size_t> dropped;   // by reason, rejections by their rule
  std::map<std::string, std::size_t> verdicts;  // "accepted", or the rule
  std::map<int, std::size_t> kept_by_level;
  std::size_t not_judged = 0;  // the machine failed: a rerun judges them again
  std::string machine_failure;

  base::Json json() const;
};

// Judges samples and writes those that the policy keeps, with prompt, verdict and provenance, one JSON object a line.
// Rows that are no samples are counted and skipped. The verifier's cache remembers verdicts, so a killed run goes on
// quickly.
CurateReport curate(const CurateConfig& config, verify::Verifier& verifier);

}  // namespace tritonrl::data
