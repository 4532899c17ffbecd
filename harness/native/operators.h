#ifndef TRITONRL_HARNESS_OPERATORS_H
#define TRITONRL_HARNESS_OPERATORS_H

#include <cstdint>

namespace tritonrl::device {

// Gives every ATen operator that has a CPU kernel a kernel for CUDA: the same one, on the same memory.
void install_operators();

std::uint64_t op_count();
std::uint64_t bytes_moved();

}  // namespace tritonrl::device

#endif
