#ifndef TRITONRL_HARNESS_TRACE_H
#define TRITONRL_HARNESS_TRACE_H

#include <string_view>

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

namespace tritonrl::device {

// Floating-point operations of a product: matrix products, convolutions, attention; 0 for all else. `tensors` are the
// operator's arguments on the device, in order.
double product_flops(std::string_view name, c10::ArrayRef<at::Tensor> tensors, const at::Tensor& result);

// From now on the executor is told of operators that work on CPU tensors only, too. They cannot be switched off from
// Python.
void trace_host_operators();

}  // namespace tritonrl::device

#endif
