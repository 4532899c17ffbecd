#ifndef TRITONRL_HARNESS_PRODUCT_FLOPS_H
#define TRITONRL_HARNESS_PRODUCT_FLOPS_H

#include <string_view>

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

namespace tritonrl::device {

// Floating-point operations of a product: matrix products, convolutions, attention; 0 for all else. `tensors` are the
// operator's arguments on the device, in order.
double product_flops(std::string_view name, c10::ArrayRef<at::Tensor> tensors, const at::Tensor& result);

}  // namespace tritonrl::device

#endif
