#pragma once

#include <cstdint>
#include <cstring>

// Sixteen floats at a time, in the compiler's own vector types: one text, as wide as the instruction set of the file
// that includes it. Everything is inline and local to that file, so that no linker can mix instruction sets.
namespace tritonrl::kernels::cpu {
namespace {

#if defined(__AVX512F__)
constexpr std::int64_t kLanes = 16;
#elif defined(__AVX2__)
constexpr std::int64_t kLanes = 8;
#else
constexpr std::int64_t kLanes = 4;
#endif
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using IntLanes = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));

// How many of the lanes are there: all of them, or the last few of a row.
struct Whole {};
struct Part {
  std::int64_t count;
};

// Less zero, not plus: compilers know that this changes no value.
inline Lanes splat(float value) { return value - Lanes{}; }

inline Lanes load(const float* from, Whole /*all*/) {
  Lanes value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}
inline Lanes load(const float* from, Part part) {
  Lanes value{};
  std::memcpy(&value, from, static_cast<std::size_t>(part.count) * sizeof(float));
  return value;
}
inline void store(float* to, Lanes value, Whole /*all*/) { std::memcpy(to, &value, sizeof(value)); }
inline void store(float* to, Lanes value, Part part) {
  std::memcpy(to, &value, static_cast<std::size_t>(part.count) * sizeof(float));
}

// Calls use(i, extent) for i = 0, kLanes, ... below `count`.
template <typename Use>
inline void for_lanes(std::int64_t count, const Use& use) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) use(i, Whole{});
  if (i < count) use(i, Part{count - i});
}

// In pairs, always in the same order.
inline float sum_of(Lanes value) {
  float parts[kLanes];
  std::memcpy(parts, &value, sizeof(value));
  for (std::int64_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::int64_t i = 0; i < width; ++i) parts[i] += parts[i + width];
  }
  return parts[0];
}

inline Lanes greater_of(Lanes a, Lanes b) { return a > b ? a : b; }

inline float greatest_of(Lanes value) {
  float parts[kLanes];
  std::memcpy(parts, &value, sizeof(value));
  float greatest = parts[0];
  for (std::int64_t i = 1; i < kLanes; ++i) greatest = parts[i] > greatest ? parts[i] : greatest;
  return greatest;
}

// e^x to two units in the last place; below -87 zero, above 88 the greatest that fits.
inline Lanes exp_of(Lanes x) {
  constexpr float kLog2e = 1.44269504088896341F;
  constexpr float kLn2High = 0.693359375F;
  constexpr float kLn2Low = -2.12194440e-4F;
  const Lanes low = splat(-87.3F);
  const Lanes high = splat(88.3F);
  const Lanes inside = x < low ? low : (x > high ? high : x);
  const Lanes rounder = splat(12582912.0F);  // 1.5 * 2^23: adding it rounds to an integer
  const Lanes n = (inside * kLog2e + rounder) - rounder;
  const Lanes r = inside - n * kLn2High - n * kLn2Low;
  Lanes p = splat(1.9875691500e-4F);
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const IntLanes exponent = (__builtin_convertvector(n, IntLanes) + 127) << 23;
  Lanes scale;
  std::memcpy(&scale, &exponent, sizeof(scale));
  const Lanes result = p * scale;
  return x < low ? Lanes{} : result;
}

}  // namespace
}  // namespace tritonrl::kernels::cpu
