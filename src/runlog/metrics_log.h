#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/file.h"
#include "runlog/metrics.h"

namespace tritonrl::runlog {

// metrics.jsonl: a line {"step", "seconds", "reward/mean", ...} for each step.
class MetricsLog {
 public:
  // Goes on after `last_step`: lines of later steps, and a last line that a kill cut short, are dropped; -1 starts
  // anew. InputError where the file cannot be written or is none of ours.
  MetricsLog(std::filesystem::path path, std::int64_t last_step);

  // After return a kill of this process loses nothing. HostError for a full or broken disk.
  void add(const StepMetrics& metrics);

  // After return a power failure loses nothing either.
  void sync();

 private:
  std::filesystem::path path_;
  base::UniqueFd fd_;
};

// The steps that the file holds, without a line that a kill cut short.
std::vector<StepMetrics> read_metrics(const std::filesystem::path& path);

}  // namespace tritonrl::runlog
