#include "model/large_tensor.h"

#include <ATen/ops/empty.h>
#include <sys/mman.h>

#include <cstdint>

namespace tritonrl::model {

at::Tensor large_tensor(at::IntArrayRef sizes, const at::TensorOptions& options) {
  constexpr std::uintptr_t kPage = 4096;
  at::Tensor tensor = at::empty(sizes, options);
  if (!tensor.is_cpu()) return tensor;
  const auto begin = reinterpret_cast<std::uintptr_t>(tensor.data_ptr());
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (begin + tensor.nbytes()) / kPage * kPage;
  // A wish: where the system has no such pages, everything works as well.
  if (first < end) static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
  return tensor;
}

}  // namespace tritonrl::model
