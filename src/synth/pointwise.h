#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace tritonrl::synth {

// How an operator's second tensor lies beside the first: element by element, a value for each place in the last
// dimension, for each row, for each channel of (batch, channel, ...), or one plain number.
enum class Spread : std::uint8_t { kSame, kFeature, kRow, kChannel, kNumber };

enum class Sign : std::uint8_t { kAny, kNotNegative, kNotPositive };

// What is known of every element; keeps chains from being one number everywhere.
struct Values {
  Sign sign = Sign::kAny;
  bool far = false;  // so far from zero that many operators are flat there
};

// An operator on single elements: {x} the value, {y} the second tensor's, {c} a constant.
struct PointwiseOp {
  std::string_view name;
  std::string_view torch;
  std::string_view triton;
  std::string_view words;                   // "a ReLU"
  std::vector<std::string_view> constants;  // to choose from, where there is {c}
  bool takes_operand = false;
  bool grows = false;       // large values may overflow 16 bits, or a few of these in a row 32
  bool zero_below = false;  // zero for everything that is not positive
  bool flat_afar = false;   // one number for everything that is far from zero on one side
  Sign sign = Sign::kAny;   // of the result; kAny also stands for "as before" in monotone odd operators
};

std::span<const PointwiseOp> unary_ops();
std::span<const PointwiseOp> binary_ops();
const PointwiseOp& pointwise_op(std::string_view name);

// A tensor beside the one that flows: an argument of forward, or a parameter of the module.
struct Operand {
  std::string name;        // in kernels, and in forward where it is an argument
  std::string expression;  // what forward passes on: "other", "self.scale"
  Spread spread = Spread::kSame;
};

struct Step {
  const PointwiseOp* op = nullptr;
  std::string constant;
  Operand operand;  // where the operator takes one

  std::string words() const;  // "a product with scale"
};

// Operators applied one after the other.
struct Chain {
  std::vector<Step> steps;

  bool empty() const { return steps.empty(); }
  std::size_t size() const { return steps.size(); }
  bool needs_libdevice() const;
  std::string structure() const;  // "relu,mul:feature", without constants
  std::string words() const;      // "a ReLU, then a product with scale"
};

std::string torch_expression(const Step& step, std::string_view x);
std::string triton_expression(const Step& step, std::string_view x);

// Draws a chain of unary operators that neither overflows nor ends in one number. `values`: of its input.
Chain draw_unary_chain(base::Random& random, std::size_t length, bool narrow, Values values);
Step draw_unary_step(base::Random& random, bool may_grow, Values& values);
// A step with a second tensor.
Step draw_binary_step(base::Random& random, Operand operand);

}  // namespace tritonrl::synth
