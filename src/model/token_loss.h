#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>

namespace tritonrl::model {

struct TokenLossConfig {
  double temperature = 1;
  bool entropy = false;
  // Logits stand in memory for this many bytes of tokens at a time. 0: usual_chunk_bytes().
  std::size_t chunk_bytes = 0;
};

// 8 MiB on the CPU, whose cache they fit into; on a GPU 512 MiB, as every chunk reads all of lm_head.
std::size_t usual_chunk_bytes(bool on_gpu);
// Rows of logits, in fp32, that fit into a chunk; at least one.
std::int64_t chunk_rows(std::size_t chunk_bytes, std::int64_t vocab_size);

struct TokenLoss {
  at::Tensor log_probs;  // [T] fp32, of each target at the temperature; differentiable
  at::Tensor entropy;    // [T] fp32, differentiable; undefined unless asked for
};

// Log-probabilities of `targets` [T] (int64) under the rows of hidden @ lm_head^T / temperature, without all logits at
// once: backward computes them again. Gradients reach `hidden` [T, hidden] and `lm_head` [vocab, hidden].
TokenLoss token_loss(const at::Tensor& hidden, const at::Tensor& lm_head, const at::Tensor& targets,
                     const TokenLossConfig& config = {});

}  // namespace tritonrl::model
