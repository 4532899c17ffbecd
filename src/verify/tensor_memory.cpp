#include "verify/tensor_memory.h"

#include <cstring>

namespace tritonrl::verify {

void HostMemory::copy(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

Snapshot HostMemory::snapshot(const std::byte* from, std::uint64_t bytes) {
  const std::shared_ptr<std::byte[]> taken(new std::byte[bytes]);
  copy(taken.get(), from, bytes);
  return {.bytes = {taken, taken.get()}, .size = bytes};
}

bool HostMemory::same(const std::byte* now, const Snapshot& then) {
  return then.size == 0 || std::memcmp(now, then.bytes.get(), then.size) == 0;
}

ComparisonReport HostMemory::compare(const TensorView& found, const ExpectedTensor& expected) {
  return verify::compare(found, expected);
}

}  // namespace tritonrl::verify
