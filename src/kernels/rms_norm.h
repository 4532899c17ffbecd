#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// Root-mean-square norm of rows, with the addition to the residual stream that stands before it:
// sum = x + residual; out = sum / rms(sum) * weight. A row's result depends on nothing but the row.
namespace tritonrl::kernels {

struct RmsNormForward {
  const void* x = nullptr;         // [rows, columns]
  const void* residual = nullptr;  // the same, or null: then sum is x, and `sum` is not written
  const void* weight = nullptr;    // [columns]
  void* sum = nullptr;             // may be x or residual
  void* out = nullptr;
  float* rstd = nullptr;  // [rows], what backward needs; may be null
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  float eps = 1e-6F;
  DType dtype = DType::kFloat32;
};

struct RmsNormBackward {
  const void* sum = nullptr;  // what was normed
  const void* weight = nullptr;
  const float* rstd = nullptr;
  const void* grad_out = nullptr;
  const void* grad_sum = nullptr;    // what reaches the sum from elsewhere; may be null
  void* grad_in = nullptr;           // of x and of residual alike
  float* weight_partials = nullptr;  // [weight_partials(rows), columns]: their sum is the weight's gradient
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  DType dtype = DType::kFloat32;
};

// Rows are summed in blocks of this size, so that no result depends on the number of threads.
inline constexpr std::int64_t kRowsPerPartial = 64;
constexpr std::int64_t weight_partials(std::int64_t rows) { return (rows + kRowsPerPartial - 1) / kRowsPerPartial; }

namespace cpu {
void rms_norm(const RmsNormForward& work);
void rms_norm_backward(const RmsNormBackward& work);
}  // namespace cpu

namespace cuda {
void rms_norm(const RmsNormForward& work, Stream stream);
void rms_norm_backward(const RmsNormBackward& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
