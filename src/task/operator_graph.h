#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tritonrl::task {

// One application of an operator. It reads results of earlier ones by their number, and the n-th input as -n.
struct Operator {
  std::string name;
  std::vector<int> reads;
  friend bool operator==(const Operator&, const Operator&) = default;
};

// What a reference computes, its sizes and constants left out, and what only moves data too.
// As text, one word an operator: "linear:-1 relu:0 add:1,-1".
class OperatorGraph {
 public:
  OperatorGraph() = default;
  explicit OperatorGraph(std::vector<Operator> operators) : operators_(std::move(operators)) {}
  // Words that make no sense are an InputError.
  static OperatorGraph parse(std::string_view text);
  std::string text() const;

  const std::vector<Operator>& operators() const { return operators_; }
  bool empty() const { return operators_.empty(); }

  // 1: a single operator. 2: a fusion, one kernel's work: at most one product (matrix, convolution, attention) and at
  // most 12 operators. 3: a model, all beyond. 0: nothing was recorded.
  int level() const;
  // Which operator reads which, by name, sorted, each pair once.
  std::vector<std::pair<std::string, std::string>> adjacent_pairs() const;
  // The names alone, sorted: what is combined, whatever the order.
  std::string composition() const;

 private:
  std::vector<Operator> operators_;
};

// matmul, linear, conv2d, scaled_dot_product_attention, lstm...: what a fused kernel is built around.
bool is_product(std::string_view operator_name);

}  // namespace tritonrl::task
