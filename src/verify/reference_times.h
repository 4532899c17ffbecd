#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "verify/timing.h"

namespace tritonrl::verify {

// What one call took, and how many of torch's operators it was, with those that copied inputs and parameters.
struct ReferenceCall {
  double us = 0;
  std::size_t operators = 0;
};

// What calls of one task's reference took on this GPU, in microseconds, by the process that made them. In a process
// they repeat to a percent; from one to the next, calls of short kernels differ by several. So several processes time a
// short reference, for all its candidates. Safe from any thread.
class ReferenceTimes {
 public:
  // How many processes beside this one, which tells its time in any case, are still to time a reference with calls like
  // this, for the mean over processes to be certain.
  std::size_t wanted_beside(std::uint64_t process, const ReferenceCall& call, const Certainty& certainty) const;
  // In place of what this process told before.
  void tell(std::uint64_t process, std::vector<double> runs_us);
  bool has(std::uint64_t process) const;
  // Of the processes that told last; none is empty.
  std::vector<std::vector<double>> by_process() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::vector<double>> runs_us_;  // by the processes' numbers, the oldest first
};

}  // namespace tritonrl::verify
