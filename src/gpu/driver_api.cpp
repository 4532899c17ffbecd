#include "gpu/driver_api.h"

#include <dlfcn.h>

namespace tritonrl::gpu {
namespace {

struct Symbols {
  void* library;
  std::string missing = {};

  template <typename Function>
  void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (function == nullptr && missing.empty()) missing = name;
  }
};

}  // namespace

std::string load_driver_api(DriverApi& api) {
  Symbols symbols{.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)};
  if (symbols.library == nullptr) return "libcuda.so.1 was not found";
#define FIND(name) symbols.find(api.name, #name)
  FIND(cuInit);
  FIND(cuDriverGetVersion);
  FIND(cuGetErrorString);
  FIND(cuDeviceGetCount);
  FIND(cuDeviceGet);
  FIND(cuDeviceGetName);
  FIND(cuDeviceGetAttribute);
  FIND(cuDeviceTotalMem_v2);
  FIND(cuDevicePrimaryCtxRetain);
  FIND(cuDevicePrimaryCtxRelease_v2);
  FIND(cuCtxSetCurrent);
  FIND(cuCtxSynchronize);
  FIND(cuCtxResetPersistingL2Cache);
  FIND(cuMemGetInfo_v2);
  FIND(cuMemAlloc_v2);
  FIND(cuMemFree_v2);
  FIND(cuMemcpyHtoD_v2);
  FIND(cuMemcpyDtoH_v2);
  FIND(cuMemcpyDtoD_v2);
  FIND(cuMemsetD8_v2);
  FIND(cuMemsetD32_v2);
  FIND(cuMemsetD32Async);
  FIND(cuMemGetAllocationGranularity);
  FIND(cuMemCreate);
  FIND(cuMemRelease);
  FIND(cuMemExportToShareableHandle);
  FIND(cuMemImportFromShareableHandle);
  FIND(cuMemAddressReserve);
  FIND(cuMemAddressFree);
  FIND(cuMemMap);
  FIND(cuMemUnmap);
  FIND(cuMemSetAccess);
  FIND(cuModuleLoadData);
  FIND(cuModuleUnload);
  FIND(cuModuleGetFunction);
  FIND(cuFuncSetAttribute);
  FIND(cuLaunchKernelEx);
  FIND(cuTensorMapEncodeTiled);
  FIND(cuEventCreate);
  FIND(cuEventRecord);
  FIND(cuEventSynchronize);
  FIND(cuEventElapsedTime);
#undef FIND
  return symbols.missing.empty() ? "" : "libcuda.so.1 has no " + symbols.missing + ": the driver is too old";
}

std::string DriverApi::error_text(Status status) const {
  const char* text = nullptr;
  if (cuGetErrorString(status, &text) != kSuccess || text == nullptr) return "error " + std::to_string(status);
  return text;
}

}  // namespace tritonrl::gpu
