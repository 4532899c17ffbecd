#include "model/attention_core.h"

#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <tuple>

#include "kernels/packed_attention.h"

namespace tritonrl::model::ops {
namespace {

// The wheel's flash attention: all texts in one call.
AttentionResult flash(const AttentionInputs& in, const PackedTexts& texts) {
  auto [out, log_sums, rng, unused, mask] = at::_flash_attention_forward(
      in.q, in.k, in.v, texts.text_starts, texts.text_starts, texts.max_length, texts.max_length, 0.0,
      /*is_causal=*/true, /*return_debug_mask=*/false, attention_scale(in.q.size(2)));
  return {.out = out, .for_backward = {log_sums, rng, unused}};
}

AttentionInputs flash_backward(const at::Tensor& grad_out, const AttentionInputs& in, const AttentionResult& result,
                               const PackedTexts& texts) {
  auto [q, k, v] =
      at::_flash_attention_backward(grad_out, in.q, in.k, in.v, result.out, result.for_backward[0], texts.text_starts,
                                    texts.text_starts, texts.max_length, texts.max_length, 0.0, /*is_causal=*/true,
                                    result.for_backward[1], result.for_backward[2], attention_scale(in.q.size(2)));
  return {.q = q.contiguous(), .k = k.contiguous(), .v = v.contiguous()};
}

template <typename Use>
void for_each_text(const at::Tensor& text_starts, const Use& use) {
  const at::Tensor host = text_starts.cpu();
  const auto* starts = host.const_data_ptr<std::int32_t>();
  for (std::int64_t text = 0; text + 1 < host.size(0); ++text) {
    const std::int64_t length = starts[text + 1] - starts[text];
    if (length > 0) use(starts[text], length);
  }
}

kernels::PackedTextShape shape_of(const AttentionInputs& in, const PackedTexts& texts) {
  return {.text_starts = texts.text_starts.const_data_ptr<std::int32_t>(),
          .texts = texts.text_starts.size(0) - 1,
          .heads = in.q.size(1),
          .kv_heads = in.k.size(1),
          .head_dim = in.q.size(2),
          .scale = attention_scale(in.q.size(2))};
}

AttentionResult attend_on_cpu(const AttentionInputs& in, const PackedTexts& texts) {
  const at::Tensor out = at::empty_like(in.q);
  const at::Tensor log_sums = at::empty({in.q.size(0), in.q.size(1)}, in.q.options());
  kernels::cpu::packed_attention({.shape = shape_of(in, texts),
                                  .q = in.q.const_data_ptr<float>(),
                                  .k = in.k.const_data_ptr<float>(),
                                  .v = in.v.const_data_ptr<float>(),
                                  .v_stride = in.v.stride(0),
                                  .out = out.data_ptr<float>(),
                                  .log_sums = log_sums.data_ptr<float>()});
  return {.out = out, .for_backward = {log_sums}};
}

AttentionInputs attend_on_cpu_backward(const at::Tensor& grad_out, const AttentionInputs& in,
                                       const AttentionResult& result, const PackedTexts& texts) {
  AttentionInputs grads{.q = at::empty_like(in.q), .k = at::empty_like(in.k), .v = at::empty_like(in.k)};
  kernels::cpu::packed_attention_backward({.shape = shape_of(in, texts),
                                           .q = in.q.const_data_ptr<float>(),
                                           .k = in.k.const_data_ptr<float>(),
                                           .v = in.v.const_data_ptr<float>(),
                                           .v_stride = in.v.stride(0),
                                           .out = result.out.const_data_ptr<float>(),
                                           .log_sums = result.for_backward[0].const_data_ptr<float>(),
                                           .grad_out = grad_out.const_data_ptr<float>(),
                                           .grad_q = grads.q.data_ptr<float>(),
                                           .grad_k = grads.k.data_ptr<float>(),
                                           .grad_v = grads.v.data_ptr<float>()});
  return grads;
}

// fp32 on CUDA, which flash attention does not take: for checks, not for speed.
at::Tensor plain(const AttentionInputs& in, const PackedTexts& texts) {
  std::vector<at::Tensor> outs;
  for_each_text(texts.text_starts, [&](std::int64_t start, std::int64_t length) {
    const auto heads_first = [&](const at::Tensor& rows) {
      return rows.narrow(0, start, length).transpose(0, 1).unsqueeze(0);
    };
    outs.push_back(at::scaled_dot_product_attention(heads_first(in.q), heads_first(in.k), heads_first(in.v), {}, 0.0,
                                                    /*is_causal=*/true, attention_scale(in.q.size(2)),
                                                    /*enable_gqa=*/true)
                       .squeeze(0)
                       .transpose(0, 1));
  });
  return at::cat(outs);
}

AttentionInputs plain_backward(const at::Tensor& grad_out, const AttentionInputs& in, const PackedTexts& texts) {
  const c10::AutoGradMode with_gradients(true);
  const auto leaf = [](const at::Tensor& tensor) { return tensor.detach().requires_grad_(); };
  const AttentionInputs leaves{.q = leaf(in.q), .k = leaf(in.k), .v = leaf(in.v)};
  const auto grads = torch::autograd::grad({plain(leaves, texts)}, {leaves.q, leaves.k, leaves.v}, {grad_out});
  return {.q = grads[0].contiguous(), .k = grads[1].contiguous(), .v = grads[2].contiguous()};
}

}  // namespace

AttentionResult attend(const AttentionInputs& inputs, const PackedTexts& texts) {
  if (!inputs.q.is_cuda()) return attend_on_cpu(inputs, texts);
  if (inputs.q.scalar_type() == at::kFloat) return {.out = plain(inputs, texts).contiguous(), .for_backward = {}};
  return flash(inputs, texts);
}

AttentionInputs attend_backward(const at::Tensor& grad_out, const AttentionInputs& inputs,
                                const AttentionResult& result, const PackedTexts& texts) {
  if (!inputs.q.is_cuda()) return attend_on_cpu_backward(grad_out, inputs, result, texts);
  if (inputs.q.scalar_type() == at::kFloat) return plain_backward(grad_out, inputs, texts);
  return flash_backward(grad_out, inputs, result, texts);
}

at::Tensor attend_chunks(const AttentionInputs& in, const PromptChunks& chunks, std::int64_t max_queries) {
  return std::get<0>(at::_flash_attention_forward(in.q, in.k, in.v, chunks.query_starts, chunks.context_starts,
                                                  max_queries, chunks.max_context, 0.0, /*is_causal=*/true,
                                                  /*return_debug_mask=*/false, attention_scale(in.q.size(2))));
}

float attention_scale(std::int64_t head_dim) { return 1.0F / std::sqrt(static_cast<float>(head_dim)); }

}  // namespace tritonrl::model::ops
