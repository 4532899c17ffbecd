#include "gpu/shared_memory.h"

namespace tritonrl::gpu {

SharedMemory::SharedMemory(int device, std::uint64_t bytes) : driver_(Driver::get()) {
  const DriverApi& api = driver_.api();
  AllocationProperties properties;
  properties.location.id = device;
  std::size_t granularity = 0;
  driver_.check(api.cuMemGetAllocationGranularity(&granularity, &properties, 1), "ask for the size of its pages");
  bytes_ = (bytes + granularity - 1) / granularity * granularity;
  driver_.check(api.cuMemCreate(&handle_, bytes_, &properties, 0), "allocate memory for a guest");
  int exported = -1;
  driver_.check(api.cuMemExportToShareableHandle(&exported, handle_, properties.exported_handle, 0),
                "share memory with a guest");
  descriptor_ = base::UniqueFd(exported);
  driver_.check(api.cuMemAddressReserve(&address_, bytes_, 0, 0, 0), "reserve addresses");
  driver_.check(api.cuMemMap(address_, bytes_, 0, handle_, 0), "map memory that a guest shares");
  AccessDescription access;
  access.location.id = device;
  driver_.check(api.cuMemSetAccess(address_, bytes_, &access, 1), "get access to memory that a guest shares");
}

SharedMemory::~SharedMemory() {
  const DriverApi& api = driver_.api();
  api.cuMemUnmap(address_, bytes_);
  api.cuMemAddressFree(address_, bytes_);
  api.cuMemRelease(handle_);
}

}  // namespace tritonrl::gpu
