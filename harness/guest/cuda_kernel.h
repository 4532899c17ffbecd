#ifndef TRITONRL_HARNESS_CUDA_KERNEL_H
#define TRITONRL_HARNESS_CUDA_KERNEL_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/driver_api.h"
#include "ttir/c_api.h"
#include "verify/wire.h"

namespace tritonrl::guest {

// Machine code from the other side, loaded.
class CudaKernel {
 public:
  // `answer`: what follows a wire::LoadAnswer. Empty, or what failed.
  std::string load(const gpu::DriverApi& api, std::uint64_t number, std::string_view answer);

  std::uint64_t number() const { return number_; }
  const verify::wire::CudaKernel& head() const { return head_; }

  // Empty, or what failed. `scratch`: memory of scratch_bytes() for this grid.
  std::string launch(const gpu::DriverApi& api, const std::uint32_t grid[3], void* stream,
                     std::span<const tritonrl_argument> arguments, std::uint64_t scratch) const;
  std::uint64_t scratch_bytes(const std::uint32_t grid[3]) const;

 private:
  struct alignas(64) EncodedMap {
    char bytes[128];
  };
  struct Packed {
    std::vector<std::uint64_t> values;
    std::vector<EncodedMap> maps;
    std::vector<void*> pointers;  // one for each parameter, into the other two
  };
  // Empty, or what failed.
  std::string pack(const gpu::DriverApi& api, std::span<const tritonrl_argument> arguments, std::uint64_t scratch,
                   Packed& packed) const;

  std::uint64_t number_ = 0;
  verify::wire::CudaKernel head_;
  std::vector<verify::wire::CudaParameter> parameters_;
  std::vector<verify::wire::TensorMap> tensor_maps_;  // of the parameters that are such, in order
  gpu::FunctionHandle* function_ = nullptr;
};

}  // namespace tritonrl::guest

#endif
