#pragma once

#include <ATen/core/Tensor.h>

namespace tritonrl::model {

// Memory that is read from end to end in every step, uninitialised. On the CPU it lies in huge pages where there are
// any: with small ones, looking up where each page lies takes a fifth of the reading.
at::Tensor large_tensor(at::IntArrayRef sizes, const at::TensorOptions& options);

}  // namespace tritonrl::model
