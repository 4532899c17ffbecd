#include "model/token_loss.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "base/error.h"
#include "kernels/token_softmax.h"
#include "model/fused_ops.h"

namespace tritonrl::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::int64_t rows_at_once(std::size_t chunk_bytes, const at::Tensor& lm_head) {
  return chunk_rows(chunk_bytes == 0 ? usual_chunk_bytes(lm_head.is_cuda()) : chunk_bytes, lm_head.size(0));
}

struct Rows {
  std::int64_t begin;
  std::int64_t count;

  at::Tensor of(const at::Tensor& tensor) const { return tensor.narrow(0, begin, count); }
  float* of_floats(const at::Tensor& tensor) const {
    return tensor.defined() ? tensor.data_ptr<float>() + begin : nullptr;
  }
  const std::int64_t* of_targets(const at::Tensor& tensor) const {
    return tensor.const_data_ptr<std::int64_t>() + begin;
  }
};

// hidden @ lm_head^T in fp32.
at::Tensor logits_of(const at::Tensor& hidden, const at::Tensor& lm_head) {
  if (hidden.scalar_type() == at::kFloat) return at::mm(hidden, lm_head.t());
  return at::mm(hidden, lm_head.t(), at::kFloat);
}

template <typename Use>
void for_each_chunk(std::int64_t rows, std::int64_t chunk, const Use& use) {
  for (std::int64_t begin = 0; begin < rows; begin += chunk) {
    use(Rows{.begin = begin, .count = std::min(chunk, rows - begin)});
  }
}

class TokenLossFunction : public torch::autograd::Function<TokenLossFunction> {
 public:
  static variable_list forward(AutogradContext* context, const at::Tensor& hidden, const at::Tensor& lm_head,
                               const at::Tensor& targets, const TokenLossConfig& config) {
    const std::int64_t rows = hidden.size(0);
    const auto options = hidden.options().dtype(at::kFloat);
    const at::Tensor log_probs = at::empty({rows}, options);
    const at::Tensor log_sums = at::empty({rows}, options);
    const at::Tensor entropies = config.entropy ? at::empty({rows}, options) : at::Tensor();
    for_each_chunk(rows, rows_at_once(config.chunk_bytes, lm_head), [&](const Rows& chunk) {
      const at::Tensor logits = logits_of(chunk.of(hidden), lm_head);
      const kernels::TokenSoftmaxForward work{.logits = logits.const_data_ptr<float>(),
                                              .targets = chunk.of_targets(targets),
                                              .inverse_temperature = static_cast<float>(1 / config.temperature),
                                              .log_probs = chunk.of_floats(log_probs),
                                              .log_sums = chunk.of_floats(log_sums),
                                              .entropies = chunk.of_floats(entropies),
                                              .rows = chunk.count,
                                              .columns = lm_head.size(0)};
      if (logits.is_cuda()) {
        kernels::cuda::token_softmax(work, ops::stream_of(logits));
      } else {
        kernels::cpu::token_softmax(work);
      }
    });
    context->set_materialize_grads(false);
    context->saved_data["temperature"] = config.temperature;
    context->saved_data["chunk_bytes"] = static_cast<std::int64_t>(config.chunk_bytes);
    context->save_for_backward({hidden, lm_head, targets, log_sums, entropies});
    if (!config.entropy) return {log_probs};
    return {log_probs, entropies};
  }

  static variable_list backward(AutogradContext* context, const variable_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& hidden = saved[0];
    const at::Tensor& lm_head = saved[1];
    const auto floats = [&](const at::Tensor& grad) { return grad.to(at::kFloat).contiguous(); };
    const at::Tensor grad_log_probs =
        grads[0].defined() ? floats(grads[0]) : at::zeros({hidden.size(0)}, saved[3].options());
    const at::Tensor grad_entropies = grads.size() > 1 && grads[1].defined() ? floats(grads[1]) : at::Tensor();
    const at::Tensor grad_hidden = at::empty_like(hidden);
    // Summed over chunks in fp32: in bf16 the later ones would be lost.
    at::Tensor grad_head = at::zeros(lm_head.sizes(), lm_head.options().dtype(at::kFloat));
    const auto chunk_bytes = static_cast<std::size_t>(context->saved_data["chunk_bytes"].toInt());
    for_each_chunk(hidden.size(0), rows_at_once(chunk_bytes, lm_head), [&](const Rows& chunk) {
      const at::Tensor logits = logits_of(chunk.of(hidden), lm_head);
      const bool in_place = hidden.scalar_type() == at::kFloat;
      const at::Tensor grad_logits = in_place ? logits : at::empty(logits.sizes(), hidden.options());
      const kernels::TokenSoftmaxBackward work{
          .logits = logits.const_data_ptr<float>(),
          .targets = chunk.of_targets(saved[2]),
          .inverse_temperature = static_cast<float>(1 / context->saved_data["temperature"].toDouble()),
          .log_sums = chunk.of_floats(saved[3]),
          .entropies = chunk.of_floats(saved[4]),
          .grad_log_probs = chunk.of_floats(grad_log_probs),
          .grad_entropies = chunk.of_floats(grad_entropies),
          .grad_logits = grad_logits.data_ptr(),
          .rows = chunk.count,
          .columns = lm_head.size(0),
          .dtype = ops::dtype_of(grad_logits)};
      if (logits.is_cuda()) {
        kernels::cuda::token_softmax_backward(work, ops::stream_of(logits));
      } else {
        kernels::cpu::token_softmax_backward(work);
      }
      at::Tensor grad_rows = chunk.of(grad_hidden);
      at::mm_out(grad_rows, grad_logits, lm_head);
      if (lm_head.scalar_type() == at::kFloat) {
        grad_head.addmm_(grad_logits.t(), chunk.of(hidden));
      } else {
        at::addmm_out(grad_head, grad_head, grad_logits.t(), chunk.of(hidden), at::kFloat);
      }
    });
    return {grad_hidden, grad_head.to(lm_head.scalar_type()), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

std::size_t usual_chunk_bytes(bool on_gpu) { return std::size_t{on_gpu ? 512U : 8U} << 20U; }

std::int64_t chunk_rows(std::size_t chunk_bytes, std::int64_t vocab_size) {
  const std::size_t row_bytes = static_cast<std::size_t>(vocab_size) * sizeof(float);
  return std::max<std::int64_t>(static_cast<std::int64_t>(chunk_bytes / row_bytes), 1);
}

TokenLoss token_loss(const at::Tensor& hidden, const at::Tensor& lm_head, const at::Tensor& targets,
                     const TokenLossConfig& config) {
  base::check(hidden.dim() == 2 && targets.dim() == 1 && hidden.size(0) == targets.size(0) &&
                  hidden.size(1) == lm_head.size(1) && targets.scalar_type() == at::kLong && config.temperature > 0,
              "token_loss: sizes, types or temperature do not fit");
  const auto outputs = TokenLossFunction::apply(hidden.contiguous(), lm_head, targets.contiguous(), config);
  return {.log_probs = outputs[0], .entropy = config.entropy ? outputs[1] : at::Tensor()};
}

}  // namespace tritonrl::model
