#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// Updates of values in bf16 that have no twin in fp32, in one pass over memory. Results are rounded up or down by
// chance, so that small changes are not lost on average; the chance is a function of seed and place, the same on every
// device.
namespace tritonrl::kernels {

// AdamW, with decay apart from the gradient.
struct RoundedAdamW {
  void* weights = nullptr;          // [count] bf16
  const void* gradients = nullptr;  // [count] bf16
  void* moments = nullptr;          // [count] of `state`
  void* squares = nullptr;
  std::int64_t count = 0;
  float gradient_scale = 1;
  float lr = 0;
  float beta1 = 0.9F;
  float beta2 = 0.95F;
  float eps = 1e-8F;
  float weight_decay = 0;
  float moment_correction = 1;  // 1 - beta1 ^ updates
  float square_correction = 1;
  std::uint64_t seed = 0;
  DType state = DType::kFloat32;  // or bf16
};

// sum += added, both [count] bf16.
struct RoundedSum {
  void* sum = nullptr;
  const void* added = nullptr;
  std::int64_t count = 0;
  std::uint64_t seed = 0;
};

namespace cpu {
void rounded_adamw(const RoundedAdamW& work);
void rounded_sum(const RoundedSum& work);
}  // namespace cpu

namespace cuda {
void rounded_adamw(const RoundedAdamW& work, Stream stream);
void rounded_sum(const RoundedSum& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
