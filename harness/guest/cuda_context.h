#ifndef TRITONRL_HARNESS_CUDA_CONTEXT_H
#define TRITONRL_HARNESS_CUDA_CONTEXT_H

#include <cstdint>
#include <string>

#include "gpu/driver_api.h"
#include "verify/wire.h"

namespace tritonrl::guest {

// This process's context on the first GPU that it sees, the one that torch uses too, and the arena in it.
class CudaContext {
 public:
  // Empty, or what failed. The descriptor is closed.
  std::string open(int arena, const verify::wire::Hello& hello);

  const gpu::DriverApi& api() const { return api_; }
  std::uint64_t arena() const { return arena_; }
  std::uint64_t flush_memory() const { return arena_ + hello_.arena_bytes; }
  std::uint64_t flush_bytes() const { return hello_.flush_bytes; }
  int device() const { return device_; }

 private:
  std::string map(int arena);

  gpu::DriverApi api_;
  verify::wire::Hello hello_;
  int device_ = 0;
  std::uint64_t arena_ = 0;
};

}  // namespace tritonrl::guest

#endif
