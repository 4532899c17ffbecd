#pragma once

#include <cstdint>

// Products of rows with a weight, for decoding on the CPU: ATen's rounds a row differently beside others.
namespace tritonrl::kernels {

// out = rows @ weight^T, in fp32. The bits of a row's result depend on that row and the weight alone.
struct LinearRows {
  const float* rows = nullptr;    // [row_count, in_columns]
  const float* weight = nullptr;  // [out_columns, in_columns]
  float* out = nullptr;           // [row_count, out_columns]
  std::int64_t row_count = 0;
  std::int64_t in_columns = 0;
  std::int64_t out_columns = 0;
};

namespace cpu {
void linear_rows(const LinearRows& work);
}  // namespace cpu

}  // namespace tritonrl::kernels
