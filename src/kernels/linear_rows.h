#pragma once

#include <cstdint>

// Products of rows with a weight, for decoding on the CPU: ATen's rounds a row differently beside others.
namespace tritonrl::kernels {

// A weight as linear_rows takes it: cut into panels of neighbouring columns, in each of which all columns' first terms
// come first, then their second ones. Products read it from front to back.
struct CutPanels {
  const float* weight = nullptr;  // [out_columns, in_columns]
  float* panels = nullptr;        // panel_floats()
  std::int64_t in_columns = 0;
  std::int64_t out_columns = 0;
};

// Memory that is wanted after some products, which fetch a few lines of it at a time: meanwhile it would be idle.
struct FetchRun {
  const float* begin = nullptr;
  const float* end = nullptr;
};
struct FetchList {
  const FetchRun* run = nullptr;  // the one that is being fetched
  const FetchRun* end = nullptr;
  const float* at = nullptr;  // in that run
};

// out = rows @ weight^T, in fp32. The bits of a row's result depend on that row and the weight alone.
struct LinearRows {
  const float* rows = nullptr;    // [row_count, in_columns]
  const float* panels = nullptr;  // of the weight, [out_columns, in_columns]
  float* out = nullptr;           // [row_count, out_columns]
  std::int64_t row_count = 0;
  std::int64_t in_columns = 0;
  std::int64_t out_columns = 0;
  FetchList* soon = nullptr;  // left alone where several threads share the product
};

namespace cpu {
std::int64_t panel_floats(std::int64_t in_columns, std::int64_t out_columns);
void cut_panels(const CutPanels& work);
void linear_rows(const LinearRows& work);
}  // namespace cpu

}  // namespace tritonrl::kernels
