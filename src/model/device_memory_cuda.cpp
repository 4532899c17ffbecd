#include <c10/cuda/CUDAAllocatorConfig.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstdlib>

#include "model/device_memory.h"

namespace tritonrl::model {

namespace {

struct Memory {
  std::size_t free = 0;
  std::size_t total = 0;
};

Memory memory_of(at::Device gpu) {
  const c10::cuda::CUDAGuard on_device(gpu);
  Memory memory;
  C10_CUDA_CHECK(cudaMemGetInfo(&memory.free, &memory.total));
  return memory;
}

}  // namespace

bool has_gpu() { return c10::cuda::device_count() > 0; }

std::int64_t device_memory_bytes(at::Device device) {
  if (device.is_cpu()) return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return static_cast<std::int64_t>(memory_of(device).total);
}

std::int64_t free_memory_bytes(at::Device device) { return static_cast<std::int64_t>(memory_of(device).free); }

void let_freed_memory_join() {
  for (const char* settings : {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"}) {
    if (std::getenv(settings) != nullptr) return;  // the user's own
  }
  c10::cuda::CUDACachingAllocator::setAllocatorSettings("expandable_segments:True");
}

void release_unused_memory() {
  if (has_gpu()) c10::cuda::CUDACachingAllocator::emptyCache();
}

}  // namespace tritonrl::model
