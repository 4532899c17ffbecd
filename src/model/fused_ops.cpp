#include "model/fused_ops.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sum.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <vector>

#include "base/error.h"
#include "kernels/linear_row.h"
#include "kernels/paged_attention.h"
#include "kernels/rms_norm.h"
#include "kernels/swiglu.h"
#include "model/attention_core.h"

namespace tritonrl::model::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::Tensor floats_like(const at::Tensor& tensor, at::IntArrayRef sizes) {
  return at::empty(sizes, tensor.options().dtype(at::kFloat));
}

float* floats_or_null(const at::Tensor& tensor) { return tensor.defined() ? tensor.data_ptr<float>() : nullptr; }

// On the CPU or on the tensor's stream.
template <typename Work>
void launch(void (*on_cpu)(const Work&), void (*on_cuda)(const Work&, kernels::Stream), const Work& work,
            const at::Tensor& tensor) {
  if (tensor.is_cuda()) {
    on_cuda(work, stream_of(tensor));
  } else {
    on_cpu(work);
  }
}

struct NormOutputs {
  at::Tensor normed;
  at::Tensor sum;  // undefined where it is x
};

NormOutputs run_rms_norm(const at::Tensor& x, const at::Tensor& residual, const at::Tensor& weight, double eps,
                         const at::Tensor& rstd) {
  const bool sum_is_x = !residual.defined() && x.scalar_type() == at::kFloat;
  NormOutputs outputs{.normed = at::empty_like(x), .sum = sum_is_x ? at::Tensor() : floats_like(x, x.sizes())};
  const kernels::RmsNormForward work{.x = x.const_data_ptr(),
                                     .residual = floats_or_null(residual),
                                     .weight = weight.const_data_ptr(),
                                     .sum = floats_or_null(outputs.sum),
                                     .out = outputs.normed.data_ptr(),
                                     .rstd = floats_or_null(rstd),
                                     .rows = x.size(0),
                                     .columns = x.size(1),
                                     .eps = static_cast<float>(eps),
                                     .dtype = dtype_of(x)};
  launch(kernels::cpu::rms_norm, kernels::cuda::rms_norm, work, x);
  return outputs;
}

class AddRmsNorm : public Function<AddRmsNorm> {
 public:
  static variable_list forward(AutogradContext* context, const at::Tensor& x, const std::optional<at::Tensor>& added,
                               const at::Tensor& weight, double eps) {
    const at::Tensor residual = added.value_or(at::Tensor());
    const at::Tensor rstd = floats_like(x, {x.size(0)});
    auto [normed, sum] = run_rms_norm(x, residual, weight, eps, rstd);
    context->set_materialize_grads(false);
    context->saved_data["residual"] = residual.defined();
    context->save_for_backward({sum.defined() ? sum : x, weight, rstd});
    if (!sum.defined()) return {normed};
    return {normed, sum};
  }

  static variable_list backward(AutogradContext* context, const variable_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& sum = saved[0];
    const at::Tensor& weight = saved[1];
    const bool has_residual = context->saved_data["residual"].toBool();
    const at::Tensor grad_sum = grads.size() > 1 ? grads[1] : at::Tensor();
    const auto residual_or_none = [&](const at::Tensor& grad) { return has_residual ? grad : at::Tensor(); };
    if (!grads[0].defined()) {
      return {grad_sum.to(weight.scalar_type()), residual_or_none(grad_sum), at::Tensor(), at::Tensor()};
    }
    const at::Tensor grad_out = grads[0].contiguous();
    const at::Tensor other = grad_sum.defined() ? grad_sum.contiguous() : grad_sum;
    const at::Tensor grad_in = at::empty(sum.sizes(), weight.options());
    const bool in_fp32 = weight.scalar_type() == at::kFloat;
    const at::Tensor grad_residual = in_fp32 ? at::Tensor() : residual_or_none(at::empty_like(sum));
    const std::int64_t rows = sum.size(0);
    const at::Tensor partials = floats_like(sum, {kernels::weight_partials(rows), sum.size(1)});
    const kernels::RmsNormBackward work{.sum = sum.const_data_ptr<float>(),
                                        .weight = weight.const_data_ptr(),
                                        .rstd = saved[2].const_data_ptr<float>(),
                                        .grad_out = grad_out.const_data_ptr(),
                                        .grad_sum = floats_or_null(other),
                                        .grad_in = grad_in.data_ptr(),
                                        .grad_residual = floats_or_null(grad_residual),
                                        .weight_partials = partials.data_ptr<float>(),
                                        .rows = rows,
                                        .columns = sum.size(1),
                                        .dtype = dtype_of(weight)};
    launch(kernels::cpu::rms_norm_backward, kernels::cuda::rms_norm_backward, work, sum);
    return {grad_in, residual_or_none(in_fp32 ? grad_in : grad_residual), partials.sum(0).to(weight.scalar_type()),
            at::Tensor()};
  }
};

class Swiglu : public Function<Swiglu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& gate_up) {
    const std::int64_t columns = gate_up.size(1) / 2;
    const at::Tensor out = at::empty({gate_up.size(0), columns}, gate_up.options());
    const kernels::SwigluForward work{.gate_up = gate_up.const_data_ptr(),
                                      .out = out.data_ptr(),
                                      .rows = gate_up.size(0),
                                      .columns = columns,
                                      .dtype = dtype_of(gate_up)};
    launch(kernels::cpu::swiglu, kernels::cuda::swiglu, work, gate_up);
    context->save_for_backward({gate_up});
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& grads) {
    const at::Tensor gate_up = context->get_saved_variables()[0];
    const at::Tensor grad_out = grads[0].contiguous();
    const at::Tensor grad_gate_up = at::empty_like(gate_up);
    const kernels::SwigluBackward work{.gate_up = gate_up.const_data_ptr(),
                                       .grad_out = grad_out.const_data_ptr(),
                                       .grad_gate_up = grad_gate_up.data_ptr(),
                                       .rows = gate_up.size(0),
                                       .columns = gate_up.size(1) / 2,
                                       .dtype = dtype_of(gate_up)};
    launch(kernels::cpu::swiglu_backward, kernels::cuda::swiglu_backward, work, gate_up);
    return {grad_gate_up};
  }
};

kernels::HeadRopeForward rope_work(const at::Tensor& qkv, const HeadWeights& weights, const at::Tensor& positions,
                                   const kernels::HeadShape& shape) {
  return {.shape = shape,
          .qkv = qkv.const_data_ptr(),
          .q_weight = weights.q_norm.const_data_ptr(),
          .k_weight = weights.k_norm.const_data_ptr(),
          .cosines = weights.cosines.const_data_ptr<float>(),
          .sines = weights.sines.const_data_ptr<float>(),
          .positions = positions.const_data_ptr<std::int32_t>(),
          .eps = static_cast<float>(weights.eps),
          .dtype = dtype_of(qkv)};
}

// The values within the product's rows, without a copy.
at::Tensor values_of(const at::Tensor& qkv, const kernels::HeadShape& shape) {
  return qkv.narrow(1, (shape.heads + shape.kv_heads) * shape.head_dim, shape.kv_heads * shape.head_dim)
      .unflatten(1, {shape.kv_heads, shape.head_dim});
}

// The product of a row alone on CUDA; undefined for what the kernel does not take.
at::Tensor linear_row(const at::Tensor& rows, const at::Tensor& weight, at::ScalarType type) {
  if (rows.size(0) != 1 || rows.scalar_type() == at::kFloat || !rows.is_contiguous()) return {};
  const at::Tensor out = at::empty({1, weight.size(0)}, rows.options().dtype(type));
  const kernels::LinearRow work{.row = rows.const_data_ptr(),
                                .weight = weight.const_data_ptr(),
                                .out = out.data_ptr(),
                                .in_columns = weight.size(1),
                                .out_columns = weight.size(0),
                                .dtype = dtype_of(rows),
                                .out_dtype = dtype_of(out)};
  if (!kernels::cuda::takes(work)) return {};
  kernels::cuda::linear_row(work, stream_of(rows));
  return out;
}

class Attention : public Function<Attention> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& qkv, const at::Tensor& q_norm,
                            const at::Tensor& k_norm, const HeadWeights& weights, const PackedTexts& texts,
                            const kernels::HeadShape& shape) {
    const at::Tensor q = at::empty({shape.tokens, shape.heads, shape.head_dim}, qkv.options());
    const at::Tensor k = at::empty({shape.tokens, shape.kv_heads, shape.head_dim}, qkv.options());
    const at::Tensor rstd = floats_like(qkv, {shape.tokens, shape.heads + shape.kv_heads});
    auto work = rope_work(qkv, weights, texts.positions, shape);
    work.q = q.data_ptr();
    work.k = k.data_ptr();
    work.rstd = rstd.data_ptr<float>();
    launch(kernels::cpu::head_rope, kernels::cuda::head_rope, work, qkv);
    auto core = attend({.q = q, .k = k, .v = values_of(qkv, shape)}, texts);

    context->saved_data["shape"] = std::vector<std::int64_t>{shape.tokens, shape.heads, shape.kv_heads, shape.head_dim};
    context->saved_data["max_length"] = texts.max_length;
    variable_list saved{qkv, q_norm, k_norm,  weights.cosines, weights.sines, rstd, texts.positions, texts.text_starts,
                        q,   k,      core.out};
    saved.insert(saved.end(), core.for_backward.begin(), core.for_backward.end());
    context->save_for_backward(saved);
    return core.out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& grads) {
    const auto saved = context->get_saved_variables();
    const auto sizes = context->saved_data["shape"].toIntVector();
    const kernels::HeadShape shape{.tokens = sizes[0], .heads = sizes[1], .kv_heads = sizes[2], .head_dim = sizes[3]};
    const at::Tensor& qkv = saved[0];
    const PackedTexts texts{
        .positions = saved[6], .text_starts = saved[7], .max_length = context->saved_data["max_length"].toInt()};
    const AttentionResult core{.out = saved[10], .for_backward = {saved.begin() + 11, saved.end()}};
    const AttentionInputs inputs{.q = saved[8], .k = saved[9], .v = values_of(qkv, shape)};
    const auto input_grads = attend_backward(grads[0].contiguous(), inputs, core, texts);

    const at::Tensor grad_qkv = at::empty_like(qkv);
    const at::Tensor partials = floats_like(qkv, {kernels::weight_partials(shape.tokens), 2, shape.head_dim});
    const kernels::HeadRopeBackward work{.shape = shape,
                                         .qkv = qkv.const_data_ptr(),
                                         .q_weight = saved[1].const_data_ptr(),
                                         .k_weight = saved[2].const_data_ptr(),
                                         .cosines = saved[3].const_data_ptr<float>(),
                                         .sines = saved[4].const_data_ptr<float>(),
                                         .positions = texts.positions.const_data_ptr<std::int32_t>(),
                                         .rstd = saved[5].const_data_ptr<float>(),
                                         .grad_q = input_grads.q.const_data_ptr(),
                                         .grad_k = input_grads.k.const_data_ptr(),
                                         .grad_v = input_grads.v.const_data_ptr(),
                                         .grad_qkv = grad_qkv.data_ptr(),
                                         .weight_partials = partials.data_ptr<float>(),
                                         .dtype = dtype_of(qkv)};
    launch(kernels::cpu::head_rope_backward, kernels::cuda::head_rope_backward, work, qkv);
    const at::Tensor norms = partials.sum(0).to(saved[1].scalar_type());
    return {grad_qkv, norms[0], norms[1], at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

NormedSum add_rms_norm(const at::Tensor& x, const at::Tensor& residual, const at::Tensor& weight, double eps) {
  if (!at::GradMode::is_enabled()) {
    auto [normed, sum] = run_rms_norm(x, residual, weight, eps, {});
    return {.normed = normed, .sum = sum.defined() ? sum : x};
  }
  const auto added = residual.defined() ? std::optional(residual) : std::nullopt;
  const auto outputs = AddRmsNorm::apply(x, added, weight, eps);
  return {.normed = outputs[0], .sum = outputs.size() > 1 ? outputs[1] : x};
}

at::Tensor linear(const at::Tensor& rows, const at::Tensor& weight) {
  if (at::GradMode::is_enabled()) return at::linear(rows, weight);
  if (rows.is_cuda()) {
    const at::Tensor row = linear_row(rows, weight, rows.scalar_type());
    return row.defined() ? row : at::linear(rows, weight);
  }
  const MatrixPanels panels = panels_for({weight}).front();
  cut(weight, panels);
  return linear(rows, panels);
}

at::Tensor linear(const at::Tensor& rows, const MatrixPanels& weight, kernels::FetchList* soon) {
  const at::Tensor in = rows.contiguous();
  const at::Tensor out = at::empty({in.size(0), weight.out_columns}, in.options());
  kernels::cpu::linear_rows({.rows = in.const_data_ptr<float>(),
                             .panels = weight.floats.const_data_ptr<float>(),
                             .out = out.data_ptr<float>(),
                             .row_count = in.size(0),
                             .in_columns = weight.in_columns,
                             .out_columns = weight.out_columns,
                             .soon = soon});
  return out;
}

at::Tensor logits(const at::Tensor& rows, const at::Tensor& lm_head) {
  if (rows.scalar_type() == at::kFloat) return ops::linear(rows, lm_head);
  // The product that gives fp32 has no derivative.
  if (at::GradMode::is_enabled()) return at::linear(rows, lm_head).to(at::kFloat);
  const at::Tensor row = linear_row(rows, lm_head, at::kFloat);
  return row.defined() ? row : at::mm(rows, lm_head.t(), at::kFloat);
}

at::Tensor swiglu(const at::Tensor& gate_up) { return Swiglu::apply(gate_up); }

at::Tensor packed_attention(const at::Tensor& qkv, const HeadWeights& weights, const PackedTexts& texts,
                            const kernels::HeadShape& shape) {
  const at::Tensor out = Attention::apply(qkv, weights.q_norm, weights.k_norm, weights, texts, shape);
  return out.view({shape.tokens, shape.heads * shape.head_dim});
}

at::Tensor paged_attention(const at::Tensor& qkv, const HeadWeights& weights, const PagedTexts& texts,
                           const kernels::HeadShape& shape, const at::Tensor& k_cache, const at::Tensor& v_cache) {
  const at::Tensor q = at::empty({shape.tokens, shape.heads, shape.head_dim}, qkv.options());
  auto rope = rope_work(qkv, weights, texts.positions, shape);
  rope.slots = texts.slots.const_data_ptr<std::int32_t>();
  rope.q = q.data_ptr();
  rope.k = k_cache.data_ptr();
  rope.v = v_cache.data_ptr();
  launch(kernels::cpu::head_rope, kernels::cuda::head_rope, rope, qkv);

  const at::Tensor out = at::empty_like(q);
  kernels::PagedAttention work{.q = q.const_data_ptr(),
                               .k_pages = k_cache.const_data_ptr(),
                               .v_pages = v_cache.const_data_ptr(),
                               .out = out.data_ptr(),
                               .query_starts = texts.query_starts.const_data_ptr<std::int32_t>(),
                               .block_table = texts.block_table.const_data_ptr<std::int32_t>(),
                               .context_lengths = texts.context_lengths.const_data_ptr<std::int32_t>(),
                               .requests = texts.context_lengths.size(0),
                               .max_queries = texts.max_query_length,
                               .max_pages = texts.block_table.size(1),
                               .page_size = k_cache.size(1),
                               .heads = shape.heads,
                               .kv_heads = shape.kv_heads,
                               .head_dim = shape.head_dim,
                               .scale = attention_scale(shape.head_dim),
                               .dtype = dtype_of(q)};
  if (texts.chunks) {
    work.requests = texts.chunks->decodes;
    work.max_queries = 1;
  }
  at::Tensor scratch;
  if (const std::int64_t count = q.is_cuda() ? kernels::cuda::paged_attention_scratch(work) : 0; count > 0) {
    scratch = floats_like(q, {count});
    work.scratch = scratch.data_ptr<float>();
  }
  launch(kernels::cpu::paged_attention, kernels::cuda::paged_attention, work, q);
  if (texts.chunks) {
    const auto rows_of = [&](const at::Tensor& cache) {
      return cache.flatten(0, 1).index_select(0, texts.chunks->context_slots);
    };
    const std::int64_t first = texts.chunks->decodes;  // each decoded one has one row
    const AttentionInputs inputs{
        .q = q.narrow(0, first, shape.tokens - first), .k = rows_of(k_cache), .v = rows_of(v_cache)};
    out.narrow(0, first, shape.tokens - first).copy_(attend_chunks(inputs, *texts.chunks, texts.max_query_length));
  }
  return out.view({shape.tokens, shape.heads * shape.head_dim});
}

kernels::DType dtype_of(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return kernels::DType::kFloat32;
    case at::kBFloat16:
      return kernels::DType::kBFloat16;
    case at::kHalf:
      return kernels::DType::kFloat16;
    default:
      base::bug("a tensor of a type that no kernel takes");
  }
}

kernels::Stream stream_of(const at::Tensor& tensor) {
  const c10::impl::VirtualGuardImpl guard(tensor.device().type());
  return static_cast<kernels::Stream>(guard.getStream(tensor.device()).native_handle());
}

}  // namespace tritonrl::model::ops
