#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ttir/type.h"

namespace tritonrl::ttir {

enum class DotPrecision : std::uint8_t { kIeee, kTf32, kTf32x3, kBf16x3, kBf16x6 };

struct DotShape {
  std::size_t batch = 1;
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
};

// out[b, m, n] = c[b, m, n] + sum over k of a[b, m, k] * b[b, k, n], on lanes (see lanes.h), with the operands and the
// accumulator of the given types. Each product is added in order of k with one rounding (fma), so the result does not
// depend on how the work is cut. tf32 truncates operands to 10 bits of mantissa. `out` may be `c`.
using Dot = void (*)(void* out, const void* a, const void* b, const void* c, DotShape shape);
Dot dot(Element a, Element b, Element accumulator, DotPrecision precision);

// Microscaling formats of tt.dot_scaled: "e4m3", "e5m2", "e2m1" (two to a byte), "bf16", "fp16".
// Decodes `elements` packed values of `format`, times 2^(scale-127) of e8m0 `scales`, one for each 32 along K, into
// floats; a scale of 255 gives NaN. `scales` may be null.
void decode_scaled(std::string_view format, const void* lanes, Element lane_element, const std::uint8_t* scales,
                   std::size_t rows, std::size_t k, bool k_is_rows_of_b, float* out);

}  // namespace tritonrl::ttir
