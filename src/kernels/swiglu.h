#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// out = silu(gate) * up.
namespace tritonrl::kernels {

struct SwigluForward {
  const void* gate_up = nullptr;  // [rows, gate | up]
  void* out = nullptr;            // [rows, columns]
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  DType dtype = DType::kFloat32;
};

struct SwigluBackward {
  const void* gate_up = nullptr;
  const void* grad_out = nullptr;
  void* grad_gate_up = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  DType dtype = DType::kFloat32;
};

namespace cpu {
void swiglu(const SwigluForward& work);
void swiglu_backward(const SwigluBackward& work);
}  // namespace cpu

namespace cuda {
void swiglu(const SwigluForward& work, Stream stream);
void swiglu_backward(const SwigluBackward& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
