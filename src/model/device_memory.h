#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace tritonrl::model {

// A GPU that this build can use.
bool has_gpu();

// All of it, taken or not: of the machine for the CPU, else of the device.
std::int64_t device_memory_bytes(at::Device device);
// What nobody has taken of a GPU's.
std::int64_t free_memory_bytes(at::Device device);

// Memory that libtorch frees serves later tensors of any size, not of the same alone. Before the first tensor on a GPU.
void let_freed_memory_join();

// What libtorch holds of a GPU's memory and does not use is free for others.
void release_unused_memory();

}  // namespace tritonrl::model
