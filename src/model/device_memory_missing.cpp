#include <unistd.h>

#include "base/error.h"
#include "model/device_memory.h"

namespace tritonrl::model {

bool has_gpu() { return false; }

std::int64_t device_memory_bytes(at::Device device) {
  base::check(device.is_cpu(), "this build knows no device but the CPU");
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
}

std::int64_t free_memory_bytes(at::Device) { base::bug("this build knows no GPU"); }

void let_freed_memory_join() {}

void release_unused_memory() {}

}  // namespace tritonrl::model
