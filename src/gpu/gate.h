#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>

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

  // The same as share(), for who waits for other things in between. Of one thread.
  class Share {
   public:
    explicit Share(Gate& gate) : gate_(gate), guard_(gate.share()) {}

    // What `wait` returns; others may be alone meanwhile.
    template <typename Wait>
    auto without(const Wait& wait) {
      guard_.reset();
      auto found = wait();
      guard_ = gate_.share();
      return found;
    }

   private:
    Gate& gate_;
    std::optional<Guard> guard_;
  };

 private:
  Guard lock(int operation) const;

  std::filesystem::path file_;
  std::mutex turnstile_;
  std::condition_variable nobody_waits_;
  std::atomic<int> waiting_ = 0;  // to be alone
};

}  // namespace tritonrl::gpu
