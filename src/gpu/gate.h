#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "base/file.h"

namespace tritonrl::gpu {

// Who may use a GPU: many at once, or one alone to time something. Holds among the threads of this program and among
// programs, by a lock on a file. Those who wait to be alone go one after the other before anyone shares again: emptying
// the GPU costs more than most timings.
class Gate {
 public:
  explicit Gate(int device);

  // As long as it lives.
  class Guard {
   public:
    explicit Guard(base::UniqueFd file) : file_(std::move(file)) {}

   private:
    base::UniqueFd file_;  // closing it gives the lock up
  };
  Guard share();
  Guard alone();

 private:
  Guard lock(int operation) const;

  std::filesystem::path file_;
  std::mutex turnstile_;
  std::condition_variable nobody_waits_;
  std::atomic<int> waiting_ = 0;  // to be alone
};

}  // namespace tritonrl::gpu
