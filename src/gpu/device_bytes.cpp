#include "gpu/device_bytes.h"

#include <algorithm>

namespace tritonrl::gpu {
namespace {

const DriverApi& api() { return Driver::get().api(); }
void check(Status status, std::string_view action) { Driver::get().check(status, action); }

void fill_bytes(DevicePointer begin, DevicePointer end, std::uint32_t pattern) {
  for (DevicePointer at = begin; at < end; ++at) {
    check(api().cuMemsetD8_v2(at, static_cast<unsigned char>(pattern >> (8 * (at % 4))), 1), "fill memory");
  }
}

}  // namespace

DeviceBytes::DeviceBytes(std::uint64_t bytes) : bytes_(bytes) {
  check(api().cuMemAlloc_v2(&address_, std::max<std::uint64_t>(bytes, 1)), "allocate memory");
}

DeviceBytes::~DeviceBytes() { api().cuMemFree_v2(address_); }

void copy_to_device(DevicePointer to, const void* from, std::uint64_t bytes) {
  if (bytes > 0) check(api().cuMemcpyHtoD_v2(to, from, bytes), "copy to memory");
}

void copy_to_host(void* to, DevicePointer from, std::uint64_t bytes) {
  if (bytes > 0) check(api().cuMemcpyDtoH_v2(to, from, bytes), "copy from memory");
}

void copy_on_device(DevicePointer to, DevicePointer from, std::uint64_t bytes) {
  if (bytes == 0) return;
  check(api().cuMemcpyDtoD_v2(to, from, bytes), "copy memory");
  check(api().cuCtxSynchronize(), "copy memory");
}

void fill(DevicePointer begin, std::uint64_t bytes, std::uint32_t pattern) {
  const DevicePointer end = begin + bytes;
  const DevicePointer first = std::min(end, (begin + 3) / 4 * 4);
  const DevicePointer last = std::max(first, end / 4 * 4);
  fill_bytes(begin, first, pattern);
  if (last > first) check(api().cuMemsetD32_v2(first, pattern, (last - first) / 4), "fill memory");
  fill_bytes(last, end, pattern);
  check(api().cuCtxSynchronize(), "fill memory");
}

}  // namespace tritonrl::gpu
