#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/file.h"
#include "runlog/metrics.h"

namespace tritonrl::runlog {

// events.out.tfevents.*, which TensorBoard reads. A process has a file of its own, newer by name than all before it;
// its first record says from which step on it replaces what the others hold.
class EventFile {
 public:
  // HostError where the folder cannot be written.
  EventFile(const std::filesystem::path& folder, std::int64_t first_step);

  // One record for all values; a kill loses nothing that was added. Values that are not numbers are left out.
  void add(const StepMetrics& metrics);

  const std::filesystem::path& path() const { return path_; }

 private:
  void write_record(std::string_view event);

  std::filesystem::path path_;
  base::UniqueFd fd_;
};

}  // namespace tritonrl::runlog
