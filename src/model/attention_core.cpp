#include "model/attention_core.h"

#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <tuple>

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

// One text's rows as [kv_heads, queries of a kv head, length, head_dim]: grouped heads without a copy of keys or
// values.
at::Tensor grouped(const at::Tensor& rows, std::int64_t kv_heads) {
  return rows.unflatten(1, {kv_heads, -1}).permute({1, 2, 0, 3});
}
at::Tensor shared(const at::Tensor& rows, std::int64_t group) {
  return rows.permute({1, 0, 2}).unsqueeze(1).expand({-1, group, -1, -1});
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

AttentionResult attend_on_cpu(const AttentionInputs& in, const PackedTexts& texts) {
  const std::int64_t kv_heads = in.k.size(1);
  const std::int64_t group = in.q.size(1) / kv_heads;
  AttentionResult result{.out = at::empty_like(in.q), .for_backward = {}};
  for_each_text(texts.text_starts, [&](std::int64_t start, std::int64_t length) {
    auto [out, log_sums] = at::_scaled_dot_product_flash_attention_for_cpu(
        grouped(in.q.narrow(0, start, length), kv_heads), shared(in.k.narrow(0, start, length), group),
        shared(in.v.narrow(0, start, length), group), 0.0, /*is_causal=*/true, {}, attention_scale(in.q.size(2)));
    grouped(result.out.narrow(0, start, length), kv_heads).copy_(out);
    result.for_backward.push_back(log_sums);
  });
  return result;
}

AttentionInputs attend_on_cpu_backward(const at::Tensor& grad_out, const AttentionInputs& in,
                                       const AttentionResult& result, const PackedTexts& texts) {
  const std::int64_t kv_heads = in.k.size(1);
  const std::int64_t group = in.q.size(1) / kv_heads;
  AttentionInputs grads{.q = at::empty_like(in.q), .k = at::empty_like(in.k), .v = at::empty_like(in.k)};
  std::size_t text = 0;
  for_each_text(texts.text_starts, [&](std::int64_t start, std::int64_t length) {
    auto [q, k, v] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
        grouped(grad_out.narrow(0, start, length), kv_heads), grouped(in.q.narrow(0, start, length), kv_heads),
        shared(in.k.narrow(0, start, length), group), shared(in.v.narrow(0, start, length), group),
        grouped(result.out.narrow(0, start, length), kv_heads), result.for_backward[text++], 0.0, /*is_causal=*/true,
        {}, attention_scale(in.q.size(2)));
    grouped(grads.q.narrow(0, start, length), kv_heads).copy_(q);
    grads.k.narrow(0, start, length).copy_(k.sum(1).transpose(0, 1));
    grads.v.narrow(0, start, length).copy_(v.sum(1).transpose(0, 1));
  });
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
  const at::AutoGradMode with_gradients(true);
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
