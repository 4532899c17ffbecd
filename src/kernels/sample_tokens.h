#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// Tokens drawn from rows of logits. What is left to draw from: the `top_k` likeliest at the temperature, of those the
// fewest that together have `top_p`, of those the ones that have `min_p` of the likeliest's probability. What ties with
// the last of them stays in. The draw is the inverse of the running sum at one uniform number, which is a function of
// seed and position.
namespace tritonrl::kernels {

struct SampleTokens {
  const float* logits = nullptr;            // [rows, vocabulary]
  const std::int32_t* rows = nullptr;       // [draws], the row that a draw is made from
  const float* temperatures = nullptr;      // [draws]; 0: the likeliest token, the first of several
  const float* top_p = nullptr;             // [draws]; 1: all
  const float* min_p = nullptr;             // [draws]; 0: all
  const std::int32_t* top_k = nullptr;      // [draws]; 0: all
  const std::int64_t* seeds = nullptr;      // [draws]
  const std::int32_t* positions = nullptr;  // [draws]
  std::int64_t* ids = nullptr;              // [draws]
  float* log_probs = nullptr;               // [draws], of what the token was drawn from
  float* raw_log_probs = nullptr;           // [draws], of the logits as they are
  std::int64_t draws = 0;
  std::int64_t vocabulary = 0;
  float* scratch = nullptr;  // on CUDA, sample_tokens_scratch() floats
};

// [0, 1), 53 random bits.
double uniform_of(std::int64_t seed, std::int32_t position);

namespace cpu {
void sample_tokens(const SampleTokens& work);
}  // namespace cpu

namespace cuda {
std::int64_t sample_tokens_scratch(const SampleTokens& work);
void sample_tokens(const SampleTokens& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
