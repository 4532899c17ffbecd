#pragma once

#include "gpu/driver_api.h"

namespace tritonrl::gpu {

// Microseconds from one short kernel to the next that waits for it, in the current context, with the cache flushed
// before. A context keeps what it got when it was made: on an H200 one of two values, a twelfth apart, which is several
// percent of a call of some short kernels. 0: it cannot be measured.
double launch_us(const DriverApi& api);

// The least of some contexts of this process on a device, one after the other; until two that differ were seen.
double least_launch_us(const DriverApi& api, int device);

// Whether a context's is the least, but for noise.
bool is_least(double launch_us, double least_us);

}  // namespace tritonrl::gpu
