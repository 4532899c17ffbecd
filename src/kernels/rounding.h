#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/rounded_update.h"

#ifdef __CUDACC__
#define TRITONRL_ON_BOTH __host__ __device__
#else
#define TRITONRL_ON_BOTH
#endif

// What the CPU's and the GPU's rounded updates do to one element.
namespace tritonrl::kernels::rounding {

// A value of bf16, by its bits.
struct Bf16 {
  std::uint16_t bits;
};

TRITONRL_ON_BOTH inline float to_float(float value) { return value; }
TRITONRL_ON_BOTH inline float to_float(Bf16 value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16U;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

// Up with the chance of what is cut off. `noise` is uniform in [0, 2^16). What is not finite stays so.
TRITONRL_ON_BOTH inline void store(float& place, float value, std::uint32_t /*noise*/) { place = value; }
TRITONRL_ON_BOTH inline void store(Bf16& place, float value, std::uint32_t noise) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if ((bits & 0x7f800000U) != 0x7f800000U) bits += noise & 0xffffU;
  place.bits = static_cast<std::uint16_t>(bits >> 16U);
}

// 64 bits of chance for one place (splitmix64).
TRITONRL_ON_BOTH inline std::uint64_t noise_at(std::uint64_t seed, std::int64_t place) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ULL * (static_cast<std::uint64_t>(place) + 1);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

template <typename State>
TRITONRL_ON_BOTH void adamw(const RoundedAdamW& work, std::int64_t place, Bf16& weight, Bf16 gradient, State& moment,
                            State& square) {
  const std::uint64_t noise = noise_at(work.seed, place);
  const float g = to_float(gradient) * work.gradient_scale;
  const float m = work.beta1 * to_float(moment) + (1.0F - work.beta1) * g;
  const float v = work.beta2 * to_float(square) + (1.0F - work.beta2) * g * g;
  const float old = to_float(weight);
  const float step = (m / work.moment_correction) / (std::sqrt(v / work.square_correction) + work.eps);
  store(weight, old - work.lr * (work.weight_decay * old + step), static_cast<std::uint32_t>(noise));
  store(moment, m, static_cast<std::uint32_t>(noise >> 16U));
  store(square, v, static_cast<std::uint32_t>(noise >> 32U));
}

TRITONRL_ON_BOTH inline void add(const RoundedSum& work, std::int64_t place, Bf16& sum, Bf16 added) {
  store(sum, to_float(sum) + to_float(added), static_cast<std::uint32_t>(noise_at(work.seed, place)));
}

}  // namespace tritonrl::kernels::rounding
