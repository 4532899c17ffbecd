#include "cuda_context.h"

#include <unistd.h>

namespace tritonrl::guest {

std::string CudaContext::open(int arena, const verify::wire::Hello& hello) {
  hello_ = hello;
  std::string failed = gpu::load_driver_api(api_);
  if (!failed.empty()) return failed;
  gpu::ContextHandle* context = nullptr;
  gpu::Status status = api_.cuInit(0);
  if (status == gpu::kSuccess) status = api_.cuDeviceGet(&device_, 0);
  if (status == gpu::kSuccess) status = api_.cuDevicePrimaryCtxRetain(&context, device_);
  if (status == gpu::kSuccess) status = api_.cuCtxSetCurrent(context);
  if (status != gpu::kSuccess) return "no context on the GPU: " + api_.error_text(status);
  failed = map(arena);
  close(arena);
  return failed;
}

std::string CudaContext::map(int arena) {
  const std::uint64_t bytes = hello_.arena_bytes + hello_.flush_bytes;
  gpu::AllocationHandle handle = 0;
  gpu::AccessDescription access;
  access.location.id = device_;
  // A wish: where the other side's memory lies in this process is told to it.
  gpu::Status status = api_.cuMemImportFromShareableHandle(
      &handle, reinterpret_cast<void*>(static_cast<std::intptr_t>(arena)), gpu::AllocationProperties{}.exported_handle);
  if (status == gpu::kSuccess) status = api_.cuMemAddressReserve(&arena_, bytes, 0, verify::wire::kArenaBase, 0);
  if (status == gpu::kSuccess) status = api_.cuMemMap(arena_, bytes, 0, handle, 0);
  if (status == gpu::kSuccess) status = api_.cuMemSetAccess(arena_, bytes, &access, 1);
  return status == gpu::kSuccess ? "" : "the arena cannot be mapped: " + api_.error_text(status);
}

}  // namespace tritonrl::guest
