#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/driver.h"

namespace tritonrl::gpu {

// Memory of the GPU that no other process can reach, in the context of the thread that makes it.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::uint64_t bytes);
  ~DeviceBytes();
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  DeviceBytes(DeviceBytes&&) = delete;
  DeviceBytes& operator=(DeviceBytes&&) = delete;

  DevicePointer address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_;
  DevicePointer address_ = 0;
};

// Device addresses as pointers, for code that hands them on without following them, and back.
inline std::byte* as_pointer(DevicePointer address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): never followed
}
inline DevicePointer as_address(const void* pointer) { return reinterpret_cast<DevicePointer>(pointer); }

// Each returns when it is done.
void copy_to_device(DevicePointer to, const void* from, std::uint64_t bytes);
void copy_to_host(void* to, DevicePointer from, std::uint64_t bytes);
void copy_on_device(DevicePointer to, DevicePointer from, std::uint64_t bytes);
// Byte `a` of the result is byte `a % 4` of the pattern, whatever the range's own alignment.
void fill(DevicePointer begin, std::uint64_t bytes, std::uint32_t pattern);

}  // namespace tritonrl::gpu
