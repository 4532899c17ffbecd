#ifndef TRITONRL_HARNESS_OPERATOR_KERNEL_H
#define TRITONRL_HARNESS_OPERATOR_KERNEL_H

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace tritonrl::device {

// Which operators may take CPU tensors beside the device's own, as CUDA's do.
enum class Mixing : std::uint8_t {
  kNone,   // 0-dimensional ones that are only read
  kIndex,  // indices
  kAny,
};

// The CUDA kernel of one operator: checks devices, gives the CPU kernel aliases of the arguments, and turns its results
// into tensors of the device. What it needs of the schema is read once.
class OperatorKernel final : public c10::OperatorKernel {
 public:
  explicit OperatorKernel(const c10::OperatorHandle& op);
  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, std::vector<c10::IValue>* stack) const;

 private:
  struct Argument {
    std::size_t position;
    bool written;
    bool read;
  };
  class Call;

  std::string name_;
  std::size_t argument_count_;
  std::size_t return_count_;
  std::vector<Argument> tensors_;
  int beta_position_ = -1;
  int device_position_ = -1;
  int generator_position_ = -1;
  bool draws_without_generator_ = false;
  // 16-bit arguments are widened for the sake of accuracy, and these results (a bit each) narrowed; 0: as they are.
  std::uint64_t narrowed_ = 0;
  std::uint64_t host_results_ = 0;  // bit n: result n stays on the CPU, as CUDA's does
  Mixing mixing_ = Mixing::kNone;
};

std::uint64_t op_count();
std::uint64_t bytes_moved();

}  // namespace tritonrl::device

#endif
