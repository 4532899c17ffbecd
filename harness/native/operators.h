#ifndef TRITONRL_HARNESS_OPERATORS_H
#define TRITONRL_HARNESS_OPERATORS_H

namespace tritonrl::device {

// Gives every ATen operator that has a CPU kernel a kernel for CUDA: the same one, on the same memory.
void install_operators();

}  // namespace tritonrl::device

#endif
