#pragma once

#include <functional>
#include <vector>

#include "sandbox/facilities.h"
#include "sandbox/outcome.h"
#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// Runs a C++ callable in a forked, confined process: Sandbox(policy).run(guest) -> Outcome. The process has what its
// parent had loaded and execs nothing. A guest that returns has completed; one that throws exits with status 1.
class Sandbox {
 public:
  explicit Sandbox(Policy policy, std::vector<int> descriptors = {}, const Facilities& machine = facilities());

  // Blocks until the guest's end, which the wall limit bounds. HostError when the failure is ours.
  Outcome run(const std::function<void()>& guest) const;

 private:
  Policy policy_;
  std::vector<int> descriptors_;  // that the guest keeps, under their own numbers
  Facilities machine_;
};

}  // namespace tritonrl::sandbox
