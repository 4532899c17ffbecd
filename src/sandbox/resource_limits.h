#pragma once

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

struct LimitedResources {
  bool locked_memory = true;  // not with a GPU: the CUDA driver pins what it copies from
  bool threads = true;        // not without a user namespace: the kernel would count all processes of the user
};

// Sets the kernel's limits for the calling process, hard and soft alike but for CPU time. `proc` is an open /proc, for
// what the process has already.
void limit_resources(const Limits& limits, int proc, const LimitedResources& resources);

}  // namespace tritonrl::sandbox
