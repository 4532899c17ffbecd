#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// From rows of logits to what a loss wants of them: the log-probability of one token a row, at a temperature, and the
// row's entropy; and back. Logits are fp32 whatever the model's type: bf16 steps by 0.016 between 2 and 4.
namespace tritonrl::kernels {

struct TokenSoftmaxForward {
  const float* logits = nullptr;          // [rows, columns]
  const std::int64_t* targets = nullptr;  // [rows], each in [0, columns)
  float inverse_temperature = 1;
  float* log_probs = nullptr;  // [rows]
  float* log_sums = nullptr;   // [rows], log of the sum of exp(logits / temperature)
  float* entropies = nullptr;  // [rows], may be null
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

struct TokenSoftmaxBackward {
  const float* logits = nullptr;
  const std::int64_t* targets = nullptr;
  float inverse_temperature = 1;
  const float* log_sums = nullptr;
  const float* entropies = nullptr;       // with grad_entropies
  const float* grad_log_probs = nullptr;  // [rows]
  const float* grad_entropies = nullptr;  // [rows], may be null
  void* grad_logits = nullptr;            // of `dtype`; may be logits where that is fp32
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  DType dtype = DType::kFloat32;
};

namespace cpu {
void token_softmax(const TokenSoftmaxForward& work);
void token_softmax_backward(const TokenSoftmaxBackward& work);
}  // namespace cpu

namespace cuda {
void token_softmax(const TokenSoftmaxForward& work, Stream stream);
void token_softmax_backward(const TokenSoftmaxBackward& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
