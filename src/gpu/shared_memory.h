#pragma once

#include <cstdint>

#include "base/file.h"
#include "gpu/driver.h"

namespace tritonrl::gpu {

// Memory of a GPU that another process can map too, by the descriptor. Ours to read and write as long as this lives.
class SharedMemory {
 public:
  // At least so many bytes, in the current context of this thread.
  SharedMemory(int device, std::uint64_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  SharedMemory(SharedMemory&&) = delete;
  SharedMemory& operator=(SharedMemory&&) = delete;

  int descriptor() const { return descriptor_.get(); }
  DevicePointer address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  const Driver& driver_;
  std::uint64_t bytes_ = 0;
  AllocationHandle handle_ = 0;
  DevicePointer address_ = 0;
  base::UniqueFd descriptor_;
};

}  // namespace tritonrl::gpu
