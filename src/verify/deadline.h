#pragma once

#include <sys/types.h>

#include <chrono>

namespace tritonrl::verify {

using Clock = std::chrono::steady_clock;

// Until when a guest must have answered. Time that its first thread waited for a core which others had does not count:
// how busy the machine is must not decide.
class Deadline {
 public:
  Deadline(pid_t guest, double seconds);

  // Time that we spent on the guest's behalf.
  void extend(Clock::duration by) { at_ += by; }
  // Zero or less: it has passed. While it has not, waiting may be counted still, which is cheaper to tell.
  Clock::duration left() const;
  double unused_seconds() const;

 private:
  Clock::duration waited_since() const;

  pid_t guest_;
  Clock::time_point at_;
  Clock::duration waited_before_;
};

}  // namespace tritonrl::verify
