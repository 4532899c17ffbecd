#pragma once

#include "base/error.h"
#include "gpu/driver.h"

namespace tritonrl::gpu {

// Tests of what only a GPU shows are skipped without one.
inline bool has_gpu() {
  try {
    return Driver::get().device_count() > 0;
  } catch (const base::HostError&) {
    return false;
  }
}

}  // namespace tritonrl::gpu
