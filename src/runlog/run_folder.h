#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/file.h"

namespace tritonrl::runlog {

// Where a run's files stand. Holding one keeps other processes from writing there.
class RunFolder {
 public:
  // Makes what is missing. InputError where it cannot be made, or another process is at work in it.
  explicit RunFolder(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path report() const { return path_ / "report.html"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path samples(std::int64_t step) const;
  std::filesystem::path checkpoint(std::int64_t step) const;

  // Steps that have a finished checkpoint, ascending.
  std::vector<std::int64_t> checkpoints() const;

  // Removes samples and checkpoints of later steps, and files and checkpoints that were never finished.
  void forget_after(std::int64_t step) const;

 private:
  std::filesystem::path path_;
  base::UniqueFd lock_;
};

// Of a folder that nobody need own: its steps with samples, ascending.
std::vector<std::int64_t> sample_steps(const std::filesystem::path& run);
std::filesystem::path samples_file(const std::filesystem::path& run, std::int64_t step);

}  // namespace tritonrl::runlog
