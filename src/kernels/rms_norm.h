#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// Root-mean-square norm of rows, with the addition to the residual stream that stands before it:
// sum = x + residual; out = sum / rms(sum) * weight. A row's result depends on nothing but the row. The residual stream
// is fp32 whatever the type: it is rounded twice a layer, and of all roundings those are what a deep model's bf16 is
// off by.
namespace tritonrl::kernels {

struct RmsNormForward {
  const void* x = nullptr;          // [rows, columns]
  const float* residual = nullptr;  // the same, or null: then sum is x
  const void* weight = nullptr;     // [columns]
  float* sum = nullptr;             // may be residual; without one it may be null, and in fp32 is not written
  void* out = nullptr;
  float* rstd = nullptr;  // [rows], what backward needs; may be null
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  float eps = 1e-6F;
  DType dtype = DType::kFloat32;
};

struct RmsNormBackward {
  const float* sum = nullptr;  // what was normed
  const void* weight = nullptr;
  const float* rstd = nullptr;
  const void* grad_out = nullptr;
  const float* grad_sum = nullptr;   // what reaches the sum from elsewhere; may be null
  void* grad_in = nullptr;           // of x, and in fp32 of residual alike
  float* grad_residual = nullptr;    // in the other types; may be null
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
