#pragma once

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// Sets the kernel's limits for the calling process, hard and soft alike. `proc` is an open /proc, for what the process
// has already.
void limit_resources(const Limits& limits, int proc, bool gpu);

}  // namespace tritonrl::sandbox
