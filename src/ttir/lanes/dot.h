#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ttir/ir/type.h"

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

// Operands of tt.dot_scaled as floats, [batch, m, k] and [batch, k, n]. `format` is "e4m3", "e5m2", "bf16" or "fp16",
// whose lanes are floats, or "e2m1", whose lanes are bytes of two values, packed along k or along the other dimension,
// the first one in the low bits. `scales` (null: none) are e8m0 bytes, one for each 32 along k: [batch, m, k / 32] and
// [batch, n, k / 32]. As on a GPU without such instructions, values are scaled in `compute`, f16 if an operand is
// "fp16", else bf16: rounded to it, 0 for the scale 0, NaN for the scale 255.
void decode_scaled_lhs(std::string_view format, const void* values, const std::uint8_t* scales, const DotShape& shape,
                       bool packed_along_k, float* out, Element compute = Element::kBF16);
void decode_scaled_rhs(std::string_view format, const void* values, const std::uint8_t* scales, const DotShape& shape,
                       bool packed_along_k, float* out, Element compute = Element::kBF16);

}  // namespace tritonrl::ttir
