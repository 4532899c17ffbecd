#include "verify/deadline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace tritonrl::verify {
namespace {

// For a core, so far; nothing where the kernel does not tell.
Clock::duration waited(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/schedstat", process));
  std::int64_t ran_ns = 0;
  std::int64_t waited_ns = 0;
  file >> ran_ns >> waited_ns;
  return std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(waited_ns));
}

}  // namespace

Deadline::Deadline(pid_t guest, double seconds)
    : guest_(guest),
      at_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      waited_before_(waited(guest)) {}

Clock::duration Deadline::left() const {
  const Clock::duration left = at_ - Clock::now();
  if (left > Clock::duration::zero()) return left;
  return left + waited_since();
}

double Deadline::unused_seconds() const {
  return std::chrono::duration<double>(at_ - Clock::now() + waited_since()).count();
}

Clock::duration Deadline::waited_since() const {
  return std::max(waited(guest_) - waited_before_, Clock::duration::zero());
}

}  // namespace tritonrl::verify
