#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>
#include <unistd.h>

#include "rollout/device_memory.h"

namespace tritonrl::rollout {

bool has_gpu() { return c10::cuda::device_count() > 0; }

std::int64_t device_memory_bytes(at::Device device) {
  if (device.is_cpu()) return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  const c10::cuda::CUDAGuard on_device(device);
  std::size_t free = 0;
  std::size_t total = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(total);
}

void release_unused_memory() {
  if (has_gpu()) c10::cuda::CUDACachingAllocator::emptyCache();
}

}  // namespace tritonrl::rollout
