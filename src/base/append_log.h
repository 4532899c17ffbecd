#pragma once

#include <filesystem>
#include <functional>
#include <mutex>

#include "base/file.h"
#include "base/json.h"

namespace tritonrl::base {

// JSONL that a long job appends to as it gets on, so that a killed one goes on where it was. A last line that a kill
// cut short is dropped when the file is opened again. One process at a time: a second one's is an InputError.
class AppendLog {
 public:
  // Creates the file where it is missing, and tells every row that it holds.
  AppendLog(std::filesystem::path path, const std::function<void(const Json& row)>& tell);

  // Safe from any thread. After return a kill of this process loses nothing; HostError for a full or broken disk.
  void add(const Json& row);

  // The job is done and its result is elsewhere.
  void remove();

 private:
  std::filesystem::path path_;
  UniqueFd fd_;
  std::mutex mutex_;
};

}  // namespace tritonrl::base
