#include "synth/pointwise.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace tritonrl::synth {
namespace {

using enum Sign;

const std::vector<PointwiseOp>& unary_table() {
  static const std::vector<PointwiseOp> kTable = {
      {.name = "relu",
       .torch = "torch.relu({x})",
       .triton = "tl.maximum({x}, 0.0)",
       .words = "a ReLU",
       .constants = {},
       .zero_below = true,
       .sign = kNotNegative},
      {.name = "leaky_relu",
       .torch = "F.leaky_relu({x}, {c})",
       .triton = "tl.where({x} > 0, {x}, {c} * {x})",
       .words = "a leaky ReLU",
       .constants = {"0.01", "0.1", "0.2"}},
      {.name = "sigmoid",
       .torch = "torch.sigmoid({x})",
       .triton = "tl.sigmoid({x})",
       .words = "a sigmoid",
       .constants = {},
       .flat_afar = true,
       .sign = kNotNegative},
      {.name = "tanh",
       .torch = "torch.tanh({x})",
       .triton = "libdevice.tanh({x})",
       .words = "a tanh",
       .constants = {},
       .flat_afar = true},
      {.name = "silu", .torch = "F.silu({x})", .triton = "{x} * tl.sigmoid({x})", .words = "a SiLU", .constants = {}},
      {.name = "gelu",
       .torch = "F.gelu({x})",
       .triton = "0.5 * {x} * (1.0 + tl.erf({x} * 0.7071067811865476))",
       .words = "a GELU",
       .constants = {},
       .flat_afar = true},
      {.name = "gelu_tanh",
       .torch = "F.gelu({x}, approximate=\"tanh\")",
       .triton = "0.5 * {x} * (1.0 + libdevice.tanh(0.7978845608028654 * ({x} + 0.044715 * {x} * {x} * {x})))",
       .words = "a tanh-approximated GELU",
       .constants = {},
       .flat_afar = true},
      {.name = "softplus",
       .torch = "F.softplus({x})",
       .triton = "tl.where({x} > 20.0, {x}, libdevice.log1p(tl.exp({x})))",
       .words = "a softplus",
       .constants = {},
       .sign = kNotNegative},
      {.name = "elu",
       .torch = "F.elu({x}, {c})",
       .triton = "tl.where({x} > 0, {x}, {c} * libdevice.expm1({x}))",
       .words = "an ELU",
       .constants = {"1.0", "0.5", "1.5"},
       .flat_afar = true},
      {.name = "selu",
       .torch = "F.selu({x})",
       .triton = "1.0507009873554805 * tl.where({x} > 0, {x}, 1.6732632423543772 * libdevice.expm1({x}))",
       .words = "a SELU",
       .constants = {},
       .flat_afar = true},
      {.name = "relu6",
       .torch = "F.relu6({x})",
       .triton = "tl.minimum(tl.maximum({x}, 0.0), 6.0)",
       .words = "a ReLU6",
       .constants = {},
       .zero_below = true,
       .flat_afar = true,
       .sign = kNotNegative},
      {.name = "clamp",
       .torch = "torch.clamp({x}, -{c}, {c})",
       .triton = "tl.minimum(tl.maximum({x}, -{c}), {c})",
       .words = "a clamp",
       .constants = {"1.0", "2.0", "3.0"},
       .flat_afar = true},
      {.name = "hardsigmoid",
       .torch = "F.hardsigmoid({x})",
       .triton = "tl.minimum(tl.maximum({x} + 3.0, 0.0), 6.0) / 6.0",
       .words = "a hard sigmoid",
       .constants = {},
       .flat_afar = true,
       .sign = kNotNegative},
      {.name = "hardswish",
       .torch = "F.hardswish({x})",
       .triton = "{x} * tl.minimum(tl.maximum({x} + 3.0, 0.0), 6.0) / 6.0",
       .words = "a hard swish",
       .constants = {},
       .flat_afar = true},
      {.name = "abs",
       .torch = "torch.abs({x})",
       .triton = "tl.abs({x})",
       .words = "an absolute value",
       .constants = {},
       .sign = kNotNegative},
      {.name = "neg", .torch = "-{x}", .triton = "-{x}", .words = "a negation", .constants = {}},
      {.name = "square",
       .torch = "{x} * {x}",
       .triton = "{x} * {x}",
       .words = "a square",
       .constants = {},
       .grows = true,
       .sign = kNotNegative},
      {.name = "softsign",
       .torch = "F.softsign({x})",
       .triton = "{x} / (1.0 + tl.abs({x}))",
       .words = "a softsign",
       .constants = {},
       .flat_afar = true},
      {.name = "mish",
       .torch = "F.mish({x})",
       .triton = "{x} * libdevice.tanh(tl.where({x} > 20.0, {x}, libdevice.log1p(tl.exp({x}))))",
       .words = "a Mish",
       .constants = {}},
      {.name = "logsigmoid",
       .torch = "F.logsigmoid({x})",
       .triton = "tl.minimum({x}, 0.0) - libdevice.log1p(tl.exp(-tl.abs({x})))",
       .words = "a log-sigmoid",
       .constants = {},
       .sign = kNotPositive},
      {.name = "log1p_abs",
       .torch = "torch.log1p(torch.abs({x}))",
       .triton = "libdevice.log1p(tl.abs({x}))",
       .words = "a log1p of the magnitude",
       .constants = {},
       .sign = kNotNegative},
      {.name = "sqrt_abs",
       .torch = "torch.sqrt(torch.abs({x}) + {c})",
       .triton = "tl.sqrt(tl.abs({x}) + {c})",
       .words = "a square root of the magnitude",
       .constants = {"0.5", "1.0"},
       .sign = kNotNegative},
      {.name = "rsqrt_square",
       .torch = "torch.rsqrt({x} * {x} + {c})",
       .triton = "1.0 / tl.sqrt({x} * {x} + {c})",
       .words = "an inverse square root",
       .constants = {"0.5", "1.0"},
       .sign = kNotNegative},
      {.name = "exp_minus",
       .torch = "torch.exp(-torch.abs({x}))",
       .triton = "tl.exp(-tl.abs({x}))",
       .words = "an exponential decay",
       .constants = {},
       .flat_afar = true,
       .sign = kNotNegative},
      {.name = "reciprocal",
       .torch = "1.0 / (1.0 + torch.abs({x}))",
       .triton = "1.0 / (1.0 + tl.abs({x}))",
       .words = "a reciprocal",
       .constants = {},
       .sign = kNotNegative},
      {.name = "atan",
       .torch = "torch.atan({x})",
       .triton = "libdevice.atan({x})",
       .words = "an arc tangent",
       .constants = {},
       .flat_afar = true},
      {.name = "scale",
       .torch = "{x} * {c}",
       .triton = "{x} * {c}",
       .words = "a scaling",
       .constants = {"0.5", "1.5", "2.0", "0.25", "3.0"}},
      {.name = "shift",
       .torch = "{x} + {c}",
       .triton = "{x} + {c}",
       .words = "a shift",
       .constants = {"0.5", "1.0", "-0.5", "-1.0"}},
      {.name = "minus_from",
       .torch = "{c} - {x}",
       .triton = "{c} - {x}",
       .words = "a difference from a constant",
       .constants = {"1.0", "0.5", "2.0"}},
  };
  return kTable;
}

const std::vector<PointwiseOp>& binary_table() {
  static const std::vector<PointwiseOp> kTable = {
      {.name = "add",
       .torch = "{x} + {y}",
       .triton = "{x} + {y}",
       .words = "a sum with {y}",
       .constants = {},
       .takes_operand = true},
      {.name = "sub",
       .torch = "{x} - {y}",
       .triton = "{x} - {y}",
       .words = "a difference with {y}",
       .constants = {},
       .takes_operand = true},
      {.name = "mul",
       .torch = "{x} * {y}",
       .triton = "{x} * {y}",
       .words = "a product with {y}",
       .constants = {},
       .takes_operand = true},
      {.name = "max",
       .torch = "torch.maximum({x}, {y})",
       .triton = "tl.maximum({x}, {y})",
       .words = "a maximum with {y}",
       .constants = {},
       .takes_operand = true},
      {.name = "min",
       .torch = "torch.minimum({x}, {y})",
       .triton = "tl.minimum({x}, {y})",
       .words = "a minimum with {y}",
       .constants = {},
       .takes_operand = true},
      {.name = "div",
       .torch = "{x} / (1.0 + torch.abs({y}))",
       .triton = "{x} / (1.0 + tl.abs({y}))",
       .words = "a quotient by the magnitude of {y}",
       .constants = {},
       .takes_operand = true},
      // What normalising layers do with their statistics; not drawn for chains.
      {.name = "times_rsqrt",
       .torch = "",
       .triton = "{x} / tl.sqrt({y} + {c})",
       .words = "a division by the deviation {y}",
       .constants = {},
       .takes_operand = true},
  };
  return kTable;
}

std::string substitute(std::string_view text, std::string_view x, std::string_view y, std::string_view c) {
  std::string out;
  out.reserve(text.size() + 32);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{' && at + 2 < text.size() && text[at + 2] == '}') {
      out.append(text[at + 1] == 'x' ? x : text[at + 1] == 'y' ? y : c);
      at += 2;
    } else {
      out.push_back(text[at]);
    }
  }
  return out;
}

std::string_view spread_name(Spread spread) {
  constexpr std::array<std::string_view, 5> kNames = {":same", ":feature", ":row", ":channel", ":number"};
  return kNames[static_cast<std::size_t>(spread)];
}

}  // namespace

std::span<const PointwiseOp> unary_ops() { return unary_table(); }
std::span<const PointwiseOp> binary_ops() { return std::span(binary_table()).first(6); }

const PointwiseOp& pointwise_op(std::string_view name) {
  for (const auto* table : {&unary_table(), &binary_table()}) {
    const auto found = std::ranges::find(*table, name, &PointwiseOp::name);
    if (found != table->end()) return *found;
  }
  base::bug("there is no pointwise operator " + std::string(name));
}

bool Chain::needs_libdevice() const {
  return std::ranges::any_of(
      steps, [](const Step& step) { return step.op->triton.find("libdevice") != std::string_view::npos; });
}

std::string Chain::structure() const {
  std::string text;
  for (const Step& step : steps) {
    if (!text.empty()) text += ',';
    text += step.op->name;
    if (step.op->takes_operand) text += spread_name(step.operand.spread);
  }
  return text;
}

std::string Step::words() const { return substitute(op->words, "", operand.name, ""); }

std::string Chain::words() const {
  std::string text;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    if (n > 0) text += n + 1 == steps.size() ? " and " : ", ";
    text += steps[n].words();
  }
  return text;
}

std::string torch_expression(const Step& step, std::string_view x) {
  return substitute(step.op->torch, x, step.operand.expression, step.constant);
}

std::string triton_expression(const Step& step, std::string_view x) {
  return substitute(step.op->triton, x, step.operand.name, step.constant);
}

Step draw_unary_step(base::Random& random, bool may_grow, Values& values) {
  Sign& sign = values.sign;
  const auto ops = unary_ops();
  while (true) {
    const PointwiseOp& op = ops[random.below(ops.size())];
    if (op.grows && !may_grow) continue;
    if (op.zero_below && sign == kNotPositive) continue;
    if (op.flat_afar && values.far) continue;
    Step step{.op = &op, .constant = {}, .operand = {}};
    if (!op.constants.empty()) step.constant = op.constants[random.below(op.constants.size())];
    const bool flips = op.name == "neg" || op.name == "minus_from";
    const bool keeps =
        op.name == "scale" || op.name == "tanh" || op.name == "softsign" || op.name == "atan" || op.name == "clamp";
    if (op.sign != kAny) {
      sign = op.sign;
    } else if (op.name == "neg" && sign != kAny) {
      sign = sign == kNotPositive ? kNotNegative : kNotPositive;
    } else if (op.name == "minus_from" || (op.name == "shift" && sign == kNotPositive)) {
      sign = kNotPositive;  // perhaps: a large value minus from a constant is negative everywhere
    } else if (!keeps && !flips && sign == kNotPositive) {
      sign = kNotPositive;
    } else if (!keeps) {
      sign = sign == kNotNegative ? kNotNegative : kAny;
    }
    return step;
  }
}

Chain draw_unary_chain(base::Random& random, std::size_t length, bool narrow, Values values) {
  Chain chain;
  bool may_grow = !narrow;
  const PointwiseOp* last = nullptr;
  while (chain.size() < length) {
    Values next = values;
    Step step = draw_unary_step(random, may_grow, next);
    if (step.op == last) continue;
    values = next;
    last = step.op;
    may_grow = may_grow && !step.op->grows;
    chain.steps.push_back(std::move(step));
  }
  return chain;
}

Step draw_binary_step(base::Random& random, Operand operand) {
  const auto ops = binary_ops();
  return {.op = &ops[random.below(ops.size())], .constant = {}, .operand = std::move(operand)};
}

}  // namespace tritonrl::synth
