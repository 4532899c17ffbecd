#ifndef TRITONRL_HARNESS_SMALL_FLOAT_H
#define TRITONRL_HARNESS_SMALL_FLOAT_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace tritonrl::guest {

// To nearest, ties to even, as Triton's launcher packs scalars.
inline std::uint16_t to_bfloat16(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16U | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

inline std::uint16_t to_float16(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000U : 0U;
  const double magnitude = std::abs(value);
  if (std::isnan(value)) return sign | 0x7E00U;
  if (magnitude >= 65520.0) return sign | 0x7C00U;
  if (magnitude < 0x1p-14) return sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24));
  const int exponent = std::ilogb(magnitude);
  const auto fraction = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A fraction that rounded up to the next power carries into the exponent.
  return static_cast<std::uint16_t>(sign + (static_cast<std::uint32_t>(exponent + 14) << 10U) + fraction);
}

}  // namespace tritonrl::guest

#endif
