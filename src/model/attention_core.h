#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "model/fused_ops.h"

// Causal attention within each of several texts, forward and backward: the wheel's flash attention on CUDA in half
// precision, a kernel of our own on the CPU, where ATen's took ten times as long.
namespace tritonrl::model::ops {

struct AttentionInputs {
  at::Tensor q;  // [T, heads, head_dim]
  at::Tensor k;  // [T, kv_heads, head_dim]
  at::Tensor v;  // the same, rows may lie apart
};

struct AttentionResult {
  at::Tensor out;                        // [T, heads, head_dim]
  std::vector<at::Tensor> for_backward;  // what attend_backward wants again
};

AttentionResult attend(const AttentionInputs& inputs, const PackedTexts& texts);

// Gradients in the shapes of the inputs, contiguous.
AttentionInputs attend_backward(const at::Tensor& grad_out, const AttentionInputs& inputs,
                                const AttentionResult& result, const PackedTexts& texts);

// Of queries that are the last of their contexts: those of chunk c begin at query_starts[c], its keys at
// context_starts[c]. CUDA in half precision.
at::Tensor attend_chunks(const AttentionInputs& inputs, const PromptChunks& chunks, std::int64_t max_queries);

float attention_scale(std::int64_t head_dim);

}  // namespace tritonrl::model::ops
