#include "recurrent_cells.h"

#include <initializer_list>
#include <optional>
#include <tuple>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>

namespace tritonrl::device {
namespace {

using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

Tensor plus(const Tensor& gates, const OptionalTensor& bias) {
  return bias.has_value() && bias->defined() ? gates + *bias : gates;
}

Tensor or_zeros(const OptionalTensor& gradient, const Tensor& like) {
  return gradient.has_value() && gradient->defined() ? *gradient : at::zeros_like(like);
}

Tensor joined(std::initializer_list<Tensor> gates) { return at::cat(at::TensorList(gates.begin(), gates.size()), 1); }

// Derivatives of sigmoid and tanh by their results.
Tensor sigmoid_slope(const Tensor& value) { return value * (1 - value); }
Tensor tanh_slope(const Tensor& value) { return 1 - value * value; }

std::tuple<Tensor, Tensor, Tensor> lstm_cell(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& cx,
                                             const OptionalTensor& input_bias, const OptionalTensor& hidden_bias) {
  const auto gates = (plus(input_gates, input_bias) + plus(hidden_gates, hidden_bias)).chunk(4, 1);
  const auto in = gates[0].sigmoid();
  const auto forget = gates[1].sigmoid();
  const auto cell = gates[2].tanh();
  const auto out = gates[3].sigmoid();
  const auto cy = forget * cx + in * cell;
  return {out * cy.tanh(), cy, joined({in, forget, cell, out})};
}

std::tuple<Tensor, Tensor, Tensor> lstm_cell_backward(const OptionalTensor& grad_hy, const OptionalTensor& grad_cy,
                                                      const Tensor& cx, const Tensor& cy, const Tensor& workspace,
                                                      bool has_bias) {
  const bool has_gradient = (grad_hy.has_value() && grad_hy->defined()) || (grad_cy.has_value() && grad_cy->defined());
  if (!has_gradient) return {};
  const auto gates = workspace.chunk(4, 1);
  const auto& in = gates[0];
  const auto& forget = gates[1];
  const auto& cell = gates[2];
  const auto& out = gates[3];
  const auto by_hy = or_zeros(grad_hy, cx);
  const auto squashed = cy.tanh();
  const auto by_cy = by_hy * out * tanh_slope(squashed) + or_zeros(grad_cy, cx);
  auto by_gates = joined({by_cy * cell * sigmoid_slope(in), by_cy * cx * sigmoid_slope(forget),
                          by_cy * in * tanh_slope(cell), by_hy * squashed * sigmoid_slope(out)});
  auto by_bias = has_bias ? by_gates.sum(0) : Tensor();
  return {by_gates, by_cy * forget, by_bias};
}

std::tuple<Tensor, Tensor> gru_cell(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& hx,
                                    const OptionalTensor& input_bias, const OptionalTensor& hidden_bias) {
  const auto input = plus(input_gates, input_bias).chunk(3, 1);
  const auto hidden = plus(hidden_gates, hidden_bias).chunk(3, 1);
  const auto reset = (input[0] + hidden[0]).sigmoid();
  const auto update = (input[1] + hidden[1]).sigmoid();
  const auto fresh = (input[2] + reset * hidden[2]).tanh();
  return {fresh + update * (hx - fresh), joined({reset, update, fresh, hx, hidden[2]})};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gru_cell_backward(const Tensor& by_hy, const Tensor& workspace,
                                                                     bool has_bias) {
  const auto saved = workspace.chunk(5, 1);
  const auto& reset = saved[0];
  const auto& update = saved[1];
  const auto& fresh = saved[2];
  const auto by_fresh = by_hy * (1 - update) * tanh_slope(fresh);
  const auto by_update = by_hy * (saved[3] - fresh) * sigmoid_slope(update);
  const auto by_reset = by_fresh * saved[4] * sigmoid_slope(reset);
  auto by_input = joined({by_reset, by_update, by_fresh});
  auto by_hidden = joined({by_reset, by_update, by_fresh * reset});
  auto by_input_bias = has_bias ? by_input.sum(0) : Tensor();
  auto by_hidden_bias = has_bias ? by_hidden.sum(0) : Tensor();
  return {by_input, by_hidden, by_hy * update, by_input_bias, by_hidden_bias};
}

}  // namespace

void install_recurrent_cells(torch::Library& library) {
  library.impl("_thnn_fused_lstm_cell", TORCH_FN(lstm_cell));
  library.impl("_thnn_fused_lstm_cell_backward_impl", TORCH_FN(lstm_cell_backward));
  library.impl("_thnn_fused_gru_cell", TORCH_FN(gru_cell));
  library.impl("_thnn_fused_gru_cell_backward", TORCH_FN(gru_cell_backward));
}

}  // namespace tritonrl::device
