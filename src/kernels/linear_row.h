#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// The product of one row with a weight, which is all reading the weight: where one sequence decodes alone. Its twin is
// cpu::linear_rows.
namespace tritonrl::kernels {

struct LinearRow {
  const void* row = nullptr;     // [in_columns]
  const void* weight = nullptr;  // [out_columns, in_columns]
  void* out = nullptr;           // [out_columns], of out_dtype
  std::int64_t in_columns = 0;
  std::int64_t out_columns = 0;
  DType dtype = DType::kBFloat16;
  DType out_dtype = DType::kBFloat16;  // the same, or fp32
};

namespace cuda {
// Half precision, everything aligned to sixteen bytes, rows too.
bool takes(const LinearRow& work);
// The weight is read before the kernel ahead in the stream has ended: that one must not write it.
void linear_row(const LinearRow& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
