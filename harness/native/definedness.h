#ifndef TRITONRL_HARNESS_DEFINEDNESS_H
#define TRITONRL_HARNESS_DEFINEDNESS_H

#include <ATen/core/Tensor.h>

namespace tritonrl::device {

// Tells the executor that every element of a tensor of the device has been written.
void mark_written(const at::Tensor& tensor);

// Reports, once for each allocation, that `op` reads elements which nothing has written.
void check_written(const at::Tensor& tensor, const char* op);

}  // namespace tritonrl::device

#endif
