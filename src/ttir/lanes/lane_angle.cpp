#include <array>

#include "ttir/lanes/lane_math.h"

namespace tritonrl::ttir::lanes {

// As libdevice's slow path: the angle's 24 bits times those bits of 2 / pi that make quarter turns and fractions of
// one.
Angle hard_angle(float x) {
  constexpr std::array<std::uint32_t, 6> kTwoOverPi = {0x3c439041, 0xdb629599, 0xf534ddc0,
                                                       0xfc2757d1, 0x4e441529, 0xa2f9836e};
  const std::uint32_t bits = bits_of(x);
  if ((bits & ~kSignBit) >= kInfinityBits) return {x * 0.0F, 0};
  const std::uint32_t mantissa = (bits << 8U) | kSignBit;
  std::array<std::uint32_t, 7> product{};
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < kTwoOverPi.size(); ++i) {
    const std::uint64_t wide = static_cast<std::uint64_t>(kTwoOverPi[i]) * mantissa + carry;
    product[i] = static_cast<std::uint32_t>(wide);
    carry = static_cast<std::uint32_t>(wide >> 32U);
  }
  product[6] = carry;
  const std::size_t top = 6 - ((((bits >> 23U) & 224U) - 128U) >> 5U);
  const std::uint32_t shift = (bits >> 23U) & 31U;
  std::uint32_t high = product[top];
  std::uint32_t middle = product[top - 1];
  if (shift != 0) {
    high = (high << shift) | (middle >> (32U - shift));
    middle = (middle << shift) | (product[top - 2] >> (32U - shift));
  }
  const std::uint32_t fraction = (high << 2U) | (middle >> 30U);
  const std::uint32_t quarters = (high >> 30U) + (fraction >> 31U);
  const std::uint32_t flip = (fraction >> 31U) != 0 ? 0xffffffffU : 0U;
  const std::uint64_t turned = (static_cast<std::uint64_t>(fraction ^ flip) << 32U) | ((middle << 2U) ^ flip);
  const double angle = static_cast<double>(static_cast<std::int64_t>(turned)) * double_of(0x3bf921fb54442d19);
  const auto rest = static_cast<float>(angle);
  const bool negative = (bits & kSignBit) != 0;
  return {(flip != 0) != negative ? negated(rest) : rest, negative ? 0U - quarters : quarters};
}

}  // namespace tritonrl::ttir::lanes
