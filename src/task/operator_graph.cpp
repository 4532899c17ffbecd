#include "task/operator_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/text.h"

namespace tritonrl::task {
namespace {

constexpr std::size_t kMostFused = 12;

constexpr std::array<std::string_view, 24> kProducts = {
    "matmul", "mm",   "bmm",    "mv",       "dot",      "addmm", "baddbmm", "addbmm",
    "addmv",  "addr", "linear", "bilinear", "einsum",   "ger",   "inner",   "tensordot",
    "outer",  "lstm", "gru",    "cdist",    "rnn_tanh", "kron",  "conv",    "rnn_relu"};

[[noreturn]] void refuse(std::string_view word) {
  throw base::InputError({}, fmt::format("'{}' is no operator of a graph", base::printable(word, 40)),
                         "write name:reads, such as add:1,-1");
}

Operator parse_operator(std::string_view word, std::size_t before) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) refuse(word);
  Operator found{.name = std::string(word.substr(0, colon)), .reads = {}};
  const std::string_view reads = word.substr(colon + 1);
  if (reads.empty()) return found;
  for (const std::string_view number : base::split(reads, ',')) {
    int read = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), read);
    const bool whole = error == std::errc() && end == number.data() + number.size();
    if (!whole || (read >= 0 && static_cast<std::size_t>(read) >= before)) refuse(word);
    found.reads.push_back(read);
  }
  return found;
}

}  // namespace

bool is_product(std::string_view name) {
  return std::ranges::find(kProducts, name) != kProducts.end() || name.starts_with("conv") ||
         name.find("attention") != std::string_view::npos;
}

OperatorGraph OperatorGraph::parse(std::string_view text) {
  std::vector<Operator> operators;
  for (const std::string_view word : base::split(text, ' ')) {
    if (!word.empty()) operators.push_back(parse_operator(word, operators.size()));
  }
  return OperatorGraph(std::move(operators));
}

std::string OperatorGraph::text() const {
  std::string text;
  for (const Operator& each : operators_) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", each.name, fmt::join(each.reads, ","));
  }
  return text;
}

int OperatorGraph::level() const {
  if (operators_.size() < 2) return static_cast<int>(operators_.size());
  const auto products = std::ranges::count_if(operators_, [](const Operator& each) { return is_product(each.name); });
  return products > 1 || operators_.size() > kMostFused ? 3 : 2;
}

std::vector<std::pair<std::string, std::string>> OperatorGraph::adjacent_pairs() const {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const Operator& each : operators_) {
    for (const int read : each.reads) {
      if (read >= 0) pairs.emplace(operators_[static_cast<std::size_t>(read)].name, each.name);
    }
  }
  return {pairs.begin(), pairs.end()};
}

std::string OperatorGraph::composition() const {
  std::vector<std::string> names;
  for (const Operator& each : operators_) names.push_back(each.name);
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace tritonrl::task
