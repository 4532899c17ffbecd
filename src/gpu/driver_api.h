#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// NVIDIA's driver interface, as much of it as is used, declared here so that no toolkit is needed to build. The names
// and layouts are those of cuda.h, which keeps them from version to version.
namespace tritonrl::gpu {

using Status = int;  // CUresult
inline constexpr Status kSuccess = 0;
inline constexpr Status kInvalidValue = 1;

using DevicePointer = std::uint64_t;
using AllocationHandle = std::uint64_t;
struct ContextHandle;
struct ModuleHandle;
struct FunctionHandle;
struct StreamHandle;
struct EventHandle;

struct MemoryLocation {
  int type = 1;  // a device
  int id = 0;
};

struct AllocationProperties {
  int type = 1;             // pinned on its device
  int exported_handle = 1;  // as a POSIX file descriptor
  MemoryLocation location;
  void* windows_only = nullptr;
  std::uint8_t compression = 0;
  std::uint8_t direct_access_by_others = 0;
  std::uint16_t usage = 0;
  std::uint8_t reserved[4] = {};
};

struct AccessDescription {
  MemoryLocation location;
  int flags = 3;  // read and write
};

struct LaunchAttribute {
  int id = 0;
  char padding[4] = {};
  union {
    char bytes[64];
    unsigned cluster[3];
    int number;
  } value = {};
};
inline constexpr int kAttributeCooperative = 2;
inline constexpr int kAttributeClusterDimension = 4;
inline constexpr int kAttributeClusterScheduling = 5;

struct LaunchConfig {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  StreamHandle* stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

inline constexpr int kFunctionMaxDynamicShared = 8;
inline constexpr int kFunctionNonPortableCluster = 14;
inline constexpr int kDeviceSharedPerBlockOptin = 97;
inline constexpr int kDeviceCapabilityMajor = 75;
inline constexpr int kDeviceCapabilityMinor = 76;

// The functions, each under its name in the library.
struct DriverApi {
  Status (*cuInit)(unsigned flags) = nullptr;
  Status (*cuDriverGetVersion)(int* version) = nullptr;
  Status (*cuGetErrorString)(Status status, const char** text) = nullptr;
  Status (*cuDeviceGetCount)(int* count) = nullptr;
  Status (*cuDeviceGet)(int* device, int ordinal) = nullptr;
  Status (*cuDeviceGetName)(char* name, int bytes, int device) = nullptr;
  Status (*cuDeviceGetAttribute)(int* value, int attribute, int device) = nullptr;
  Status (*cuDeviceTotalMem_v2)(std::size_t* bytes, int device) = nullptr;
  Status (*cuDevicePrimaryCtxRetain)(ContextHandle** context, int device) = nullptr;
  Status (*cuDevicePrimaryCtxRelease_v2)(int device) = nullptr;
  Status (*cuCtxSetCurrent)(ContextHandle* context) = nullptr;
  Status (*cuCtxSynchronize)() = nullptr;
  Status (*cuCtxResetPersistingL2Cache)() = nullptr;
  Status (*cuMemGetInfo_v2)(std::size_t* free, std::size_t* total) = nullptr;
  Status (*cuMemAlloc_v2)(DevicePointer* memory, std::size_t bytes) = nullptr;
  Status (*cuMemFree_v2)(DevicePointer memory) = nullptr;
  Status (*cuMemcpyHtoD_v2)(DevicePointer to, const void* from, std::size_t bytes) = nullptr;
  Status (*cuMemcpyDtoH_v2)(void* to, DevicePointer from, std::size_t bytes) = nullptr;
  Status (*cuMemcpyDtoD_v2)(DevicePointer to, DevicePointer from, std::size_t bytes) = nullptr;
  Status (*cuMemsetD8_v2)(DevicePointer memory, unsigned char value, std::size_t count) = nullptr;
  Status (*cuMemsetD32_v2)(DevicePointer memory, unsigned value, std::size_t count) = nullptr;
  Status (*cuMemsetD32Async)(DevicePointer memory, unsigned value, std::size_t count, StreamHandle* stream) = nullptr;
  Status (*cuMemGetAllocationGranularity)(std::size_t* bytes, const AllocationProperties* properties,
                                          int option) = nullptr;
  Status (*cuMemCreate)(AllocationHandle* handle, std::size_t bytes, const AllocationProperties* properties,
                        unsigned long long flags) = nullptr;
  Status (*cuMemRelease)(AllocationHandle handle) = nullptr;
  Status (*cuMemExportToShareableHandle)(void* exported, AllocationHandle handle, int type,
                                         unsigned long long flags) = nullptr;
  Status (*cuMemImportFromShareableHandle)(AllocationHandle* handle, void* exported, int type) = nullptr;
  Status (*cuMemAddressReserve)(DevicePointer* address, std::size_t bytes, std::size_t alignment, DevicePointer wish,
                                unsigned long long flags) = nullptr;
  Status (*cuMemAddressFree)(DevicePointer address, std::size_t bytes) = nullptr;
  Status (*cuMemMap)(DevicePointer address, std::size_t bytes, std::size_t offset, AllocationHandle handle,
                     unsigned long long flags) = nullptr;
  Status (*cuMemUnmap)(DevicePointer address, std::size_t bytes) = nullptr;
  Status (*cuMemSetAccess)(DevicePointer address, std::size_t bytes, const AccessDescription* access,
                           std::size_t count) = nullptr;
  Status (*cuModuleLoadData)(ModuleHandle** module, const void* image) = nullptr;
  Status (*cuModuleUnload)(ModuleHandle* module) = nullptr;
  Status (*cuModuleGetFunction)(FunctionHandle** function, ModuleHandle* module, const char* name) = nullptr;
  Status (*cuFuncSetAttribute)(FunctionHandle* function, int attribute, int value) = nullptr;
  Status (*cuLaunchKernelEx)(const LaunchConfig* config, FunctionHandle* function, void** parameters,
                             void** extra) = nullptr;
  Status (*cuTensorMapEncodeTiled)(void* map, int element_type, unsigned rank, void* begin, const std::uint64_t* sizes,
                                   const std::uint64_t* strides, const unsigned* block, const unsigned* element_strides,
                                   int interleave, int swizzle, int l2_promotion, int fill) = nullptr;
  Status (*cuEventCreate)(EventHandle** event, unsigned flags) = nullptr;
  Status (*cuEventRecord)(EventHandle* event, StreamHandle* stream) = nullptr;
  Status (*cuEventSynchronize)(EventHandle* event) = nullptr;
  Status (*cuEventElapsedTime)(float* milliseconds, EventHandle* begin, EventHandle* end) = nullptr;

  // What the driver calls an error.
  std::string error_text(Status status) const;
};

// Loads libcuda.so.1 and finds every function. Empty, or what is missing. Once loaded it stays.
std::string load_driver_api(DriverApi& api);

}  // namespace tritonrl::gpu
