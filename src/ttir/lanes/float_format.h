#pragma once

#include <cstdint>
#include <type_traits>

#include "ttir/ir/type.h"
#include "ttir/lanes/lane_inline.h"

// The float formats narrower than f32, each value held in a float (see lanes.h): reading and writing their bits, and
// rounding floats to them. Straight-line code, so that loops over it vectorise.
namespace tritonrl::ttir {

TRITONRL_LANE std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }
TRITONRL_LANE std::uint64_t bits_of(double value) { return __builtin_bit_cast(std::uint64_t, value); }
TRITONRL_LANE float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
TRITONRL_LANE double double_of(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

inline constexpr std::uint32_t kSignBit = 0x80000000U;
inline constexpr std::uint32_t kInfinityBits = 0x7f800000U;
// The only NaN that NVIDIA's f32 instructions produce; f16 and bf16 have its leading bits, 0x7fff.
inline constexpr std::uint32_t kNanBits = 0x7fffffffU;

TRITONRL_LANE bool is_nan(float value) { return value != value; }
TRITONRL_LANE bool is_nan(double value) { return value != value; }
TRITONRL_LANE float with_one_nan(float value) { return is_nan(value) ? float_of(kNanBits) : value; }
// f64 instructions keep a NaN's payload.
TRITONRL_LANE double with_one_nan(double value) { return value; }

// How a format uses the largest exponent: as IEEE does, for one NaN beside numbers, for numbers alone (then a NaN is
// "minus zero", or there is none).
enum class Specials : std::uint8_t { kIeee, kOneNan, kNanIsMinusZero, kNone };

struct FormatLayout {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

constexpr FormatLayout layout_of(Element element) {
  switch (element) {
    case Element::kF8E4M3FN:
      return {4, 3, 7, Specials::kOneNan};
    case Element::kF8E5M2:
      return {5, 2, 15, Specials::kIeee};
    case Element::kF8E4M3FNUZ:
      return {4, 3, 8, Specials::kNanIsMinusZero};
    case Element::kF8E5M2FNUZ:
      return {5, 2, 16, Specials::kNanIsMinusZero};
    case Element::kF8E4M3B11FNUZ:  // MLIR's name for Triton's fp8e4b15, whose bias is 15
      return {4, 3, 15, Specials::kNone};
    case Element::kF16:
      return {5, 10, 15, Specials::kIeee};
    default:
      return {8, 7, 127, Specials::kIeee};
  }
}

template <Element kElement>
struct FloatFormat {
  static constexpr FormatLayout kLayout = layout_of(kElement);
  static constexpr bool kIsBf16 = kElement == Element::kBF16;
  static constexpr bool kHasInfinity = kLayout.specials == Specials::kIeee;
  static constexpr int kBits = 1 + kLayout.exponent_bits + kLayout.mantissa_bits;
  static constexpr int kShift = 23 - kLayout.mantissa_bits;
  static constexpr std::uint32_t kSign = 1U << (kBits - 1);
  static constexpr std::uint32_t kMagnitude = kSign - 1;
  static constexpr std::uint32_t kSmallestNormal = 1U << kLayout.mantissa_bits;
  static constexpr std::uint32_t kInfinity = kMagnitude & ~(kSmallestNormal - 1);
  static constexpr std::uint32_t kLargest = kHasInfinity                            ? kInfinity - 1
                                            : kLayout.specials == Specials::kOneNan ? kMagnitude - 1
                                                                                    : kMagnitude;
  static constexpr std::uint32_t kExponentGap = static_cast<std::uint32_t>(127 - kLayout.bias);
  // The smallest normal number and the unit of subnormal ones, as floats; meaningless for bf16, which needs neither.
  static constexpr std::uint32_t kSmallestNormalBits = (kExponentGap + 1) << 23U;
  static constexpr float kUnit = __builtin_bit_cast(
      float, kIsBf16 ? 0U : kSmallestNormalBits - (static_cast<std::uint32_t>(kLayout.mantissa_bits) << 23U));
  static constexpr float kUnitsPerOne = kIsBf16 ? 0.0F : 1.0F / kUnit;
  static constexpr std::uint32_t kLargestBits = (kLargest << kShift) + (kExponentGap << 23U);

  using Bits = std::conditional_t<kBits == 16, std::uint16_t, std::uint8_t>;

  TRITONRL_LANE static float decode(Bits bits) {
    if constexpr (kIsBf16) return float_of(static_cast<std::uint32_t>(bits) << 16U);
    const std::uint32_t magnitude = bits & kMagnitude;
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & kSign) << (32 - kBits);
    const std::uint32_t normal = (magnitude << kShift) + (kExponentGap << 23U);
    const std::uint32_t subnormal = bits_of(static_cast<float>(static_cast<std::int32_t>(magnitude)) * kUnit);
    std::uint32_t result = (magnitude < kSmallestNormal ? subnormal : normal) | sign;
    if constexpr (kHasInfinity) {
      result = magnitude >= kInfinity ? (magnitude << kShift) | kInfinityBits | sign : result;
    } else if constexpr (kLayout.specials == Specials::kOneNan) {
      result = magnitude == kMagnitude ? kNanBits | sign : result;
    } else if constexpr (kLayout.specials == Specials::kNanIsMinusZero) {
      result = bits == kSign ? kNanBits : result;
    }
    return float_of(result);
  }

  // Of a value of this format.
  TRITONRL_LANE static Bits encode(float value) {
    const std::uint32_t all = bits_of(value);
    if constexpr (kIsBf16) return static_cast<Bits>(all >> 16U);
    const std::uint32_t absolute = all & ~kSignBit;
    const std::uint32_t sign = (all >> (32 - kBits)) & kSign;
    const std::uint32_t normal = (absolute >> kShift) - (kExponentGap << kLayout.mantissa_bits);
    // NaNs and infinities are kept from the conversion, where they have no result.
    const float small = absolute < kSmallestNormalBits ? float_of(absolute) : 0.0F;
    const auto subnormal = static_cast<std::uint32_t>(static_cast<std::int32_t>(small * kUnitsPerOne));
    std::uint32_t result = (absolute < kSmallestNormalBits ? subnormal : normal) | sign;
    if constexpr (kHasInfinity) {
      result = absolute >= kInfinityBits ? ((absolute >> kShift) & kMagnitude) | sign : result;
    } else if constexpr (kLayout.specials == Specials::kOneNan) {
      result = absolute > kInfinityBits ? kMagnitude | sign : result;
    } else if constexpr (kLayout.specials == Specials::kNanIsMinusZero) {
      result = absolute > kInfinityBits ? kSign : absolute == 0 ? 0 : result;
    }
    return static_cast<Bits>(result);
  }

  // To the nearest value, the even one of two. Past the range: infinity for f16 and bf16, the largest number for fp8
  // (PTX cvt.rn.satfinite), also from infinity.
  TRITONRL_LANE static float nearest(float value) {
    const std::uint32_t all = bits_of(value);
    if constexpr (kIsBf16) {
      const std::uint32_t rounded = (all + 0x7fffU + ((all >> 16U) & 1U)) & 0xffff0000U;
      return float_of(is_nan(value) ? kNanBits & 0xffff0000U : rounded);
    }
    // Adding a number whose last bit is worth as much as the format's last bit there leaves the rounding to the adder.
    constexpr std::uint32_t kPast = (kLargestBits & kInfinityBits) + (1U << 23U);
    const std::uint32_t absolute = all & ~kSignBit;
    std::uint32_t exponent = absolute & kInfinityBits;
    exponent = exponent < kSmallestNormalBits ? kSmallestNormalBits : exponent;
    exponent = exponent > kPast ? kPast : exponent;
    const float shifter = float_of(exponent + (static_cast<std::uint32_t>(kShift) << 23U));
    const std::uint32_t rounded = bits_of((float_of(absolute) + shifter) - shifter);
    const std::uint32_t bounded = rounded > kLargestBits ? (kBits == 16 ? kInfinityBits : kLargestBits) : rounded;
    return finish(value, bounded);
  }

  // PTX cvt.rz: past the range the largest number, but infinity stays.
  TRITONRL_LANE static float toward_zero(float value) {
    const std::uint32_t absolute = bits_of(value) & ~kSignBit;
    constexpr std::uint32_t kKept = ~((1U << kShift) - 1U);
    if constexpr (kIsBf16) {
      return float_of(is_nan(value) ? kNanBits & kKept : bits_of(value) & kKept);
    }
    const float small = absolute < kSmallestNormalBits ? float_of(absolute) : 0.0F;
    const auto units = static_cast<std::int32_t>(small * kUnitsPerOne);
    const std::uint32_t subnormal = bits_of(static_cast<float>(units) * kUnit);
    const std::uint32_t cut = absolute < kSmallestNormalBits ? subnormal : absolute & kKept;
    const std::uint32_t past = kHasInfinity && absolute == kInfinityBits ? kInfinityBits : kLargestBits;
    return finish(value, cut > kLargestBits ? past : cut);
  }

 private:
  // The sign of `value` on a magnitude, unless `value` is a NaN.
  TRITONRL_LANE static float finish(float value, std::uint32_t magnitude) {
    std::uint32_t signed_bits = magnitude | (bits_of(value) & kSignBit);
    if constexpr (kLayout.specials == Specials::kNanIsMinusZero) signed_bits = magnitude == 0 ? 0 : signed_bits;
    const std::uint32_t nan = kLayout.specials == Specials::kNone ? kLargestBits
                              : kHasInfinity                      ? kNanBits & ~((1U << kShift) - 1U)
                                                                  : kNanBits;
    return float_of(is_nan(value) ? nan : signed_bits);
  }
};

// A float from which rounding to a narrower format gives what rounding `value` itself gives: cut off, with the last bit
// set where something was lost.
TRITONRL_LANE float to_odd(double value) {
  const auto near = static_cast<float>(value);
  const auto back = static_cast<double>(near);
  const double absolute = double_of(bits_of(value) & ~(1ULL << 63U));
  const double reached = double_of(bits_of(back) & ~(1ULL << 63U));
  const std::uint32_t cut = bits_of(near) - (reached > absolute ? 1U : 0U);
  return float_of(cut | (reached != absolute && !is_nan(value) ? 1U : 0U));
}

// a + b, with the last bit set where something was lost.
TRITONRL_LANE double odd_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double lost = (a - (sum - part)) + (b - part);
  const bool step = (bits_of(sum) & 1U) == 0 && (lost < 0.0 || lost > 0.0);
  const std::uint64_t next = (lost > 0.0) == (sum > 0.0) ? bits_of(sum) + 1U : bits_of(sum) - 1U;
  return step ? double_of(next) : sum;
}

}  // namespace tritonrl::ttir
