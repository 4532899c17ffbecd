#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "kernels/head_rope.h"
#include "kernels/linear_rows.h"
#include "model/panels.h"
#include "model/qwen3.h"

// The launch functions of kernels/ as differentiable operators, on the device of their tensors.
namespace tritonrl::model::ops {

struct NormedSum {
  at::Tensor normed;
  at::Tensor sum;
};

// sum = x + residual in fp32, normed = norm(sum) * weight in the type of x. Without a residual (an undefined tensor)
// the sum is x.
NormedSum add_rms_norm(const at::Tensor& x, const at::Tensor& residual, const at::Tensor& weight, double eps);

// rows @ weight^T. Without gradients on the CPU, each row as if it were alone, to the bit.
at::Tensor linear(const at::Tensor& rows, const at::Tensor& weight);
// The same bits, from panels that are there already; what is wanted `soon` is fetched meanwhile.
at::Tensor linear(const at::Tensor& rows, const MatrixPanels& weight, kernels::FetchList* soon = nullptr);
// The same in fp32, from products of either type.
at::Tensor logits(const at::Tensor& rows, const at::Tensor& lm_head);

// silu(gate) * up of rows [gate | up].
at::Tensor swiglu(const at::Tensor& gate_up);

// What attention needs besides its rows.
struct HeadWeights {
  at::Tensor q_norm;
  at::Tensor k_norm;
  at::Tensor cosines;  // [positions, head_dim / 2] fp32
  at::Tensor sines;
  double eps = 1e-6;
};

struct PackedTexts {
  at::Tensor positions;    // [T] int32
  at::Tensor text_starts;  // [S + 1] int32
  std::int64_t max_length = 0;
};

// Causal attention within each text: rows [queries | keys | values] to [T, heads * head_dim]. shape.tokens is T.
at::Tensor packed_attention(const at::Tensor& qkv, const HeadWeights& weights, const PackedTexts& texts,
                            const kernels::HeadShape& shape);

// The same over a paged cache, which gets the rows' keys and values first. Not differentiable.
struct PagedTexts {
  at::Tensor positions;
  at::Tensor slots;
  at::Tensor query_starts;
  at::Tensor block_table;
  at::Tensor context_lengths;
  std::int64_t max_query_length = 1;
  std::optional<PromptChunks> chunks = {};
};
at::Tensor paged_attention(const at::Tensor& qkv, const HeadWeights& weights, const PagedTexts& texts,
                           const kernels::HeadShape& shape, const at::Tensor& k_cache, const at::Tensor& v_cache);

// The type and the stream that kernels want to know.
kernels::DType dtype_of(const at::Tensor& tensor);
kernels::Stream stream_of(const at::Tensor& tensor);

}  // namespace tritonrl::model::ops
