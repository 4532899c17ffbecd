#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace tritonrl::rollout {

// A GPU that this build can use.
bool has_gpu();

// All of it, taken or not: of the machine for the CPU, else of the device.
std::int64_t device_memory_bytes(at::Device device);
// What nobody has taken of a GPU's.
std::int64_t free_memory_bytes(at::Device device);

// What libtorch holds of a GPU's memory and does not use is free for others.
void release_unused_memory();

}  // namespace tritonrl::rollout
