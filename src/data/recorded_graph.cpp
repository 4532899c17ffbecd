#include "data/recorded_graph.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/reference_profile.h"
#include "analysis/torch_ops.h"

namespace tritonrl::data {
namespace {

// "add" for __add__, __radd__, __iadd__ and add_: what is the same to a kernel has one name.
std::string plain_name(std::string_view name) {
  if (name.starts_with("__") && name.ends_with("__") && name.size() > 4) {
    name = name.substr(2, name.size() - 4);
    constexpr std::array<std::string_view, 10> kReflected = {"add", "sub", "mul",    "truediv", "floordiv",
                                                             "mod", "pow", "matmul", "and",     "or"};
    const std::string_view rest = name.substr(1);
    const bool reflected =
        (name.starts_with('r') || name.starts_with('i')) && std::ranges::find(kReflected, rest) != kReflected.end();
    if (reflected) name = rest;
  }
  while (name.ends_with('_')) name.remove_suffix(1);
  for (const auto& [alias, plain] : {std::pair<std::string_view, std::string_view>{"truediv", "div"},
                                     {"true_divide", "div"},
                                     {"divide", "div"},
                                     {"multiply", "mul"},
                                     {"subtract", "sub"},
                                     {"mm", "matmul"},
                                     {"bmm", "matmul"}}) {
    if (name == alias) return std::string(plain);
  }
  return std::string(name);
}

bool computes(const std::string& raw) {
  if (raw == "__getitem__" || raw == "__setitem__") return false;
  const std::string name = plain_name(raw);
  for (const std::string& path : {"torch.nn.functional." + name, "torch." + name}) {
    if (const auto op = analysis::find_torch_op(path)) return op->cls == analysis::OpClass::kCompute;
  }
  if (const auto op = analysis::find_tensor_method(name)) return op->cls == analysis::OpClass::kCompute;
  return true;
}

}  // namespace

task::OperatorGraph graph_of_recording(const base::Json& operators) {
  std::vector<task::Operator> kept;
  std::vector<std::vector<int>> stands_for;  // by recorded operator: what reading it means
  for (const auto& recorded : operators) {
    const auto raw = recorded.at("name").get<std::string>();
    std::vector<int> reads;
    for (const auto& each : recorded.at("reads")) {
      const int read = each.get<int>();
      if (read < 0) {
        reads.push_back(read);
      } else if (static_cast<std::size_t>(read) < stands_for.size()) {
        const auto& meant = stands_for[static_cast<std::size_t>(read)];
        reads.insert(reads.end(), meant.begin(), meant.end());
      }
    }
    if (reads.size() > 64) reads.resize(64);
    if (!computes(raw) || reads.empty()) {  // what reads nothing is a constant
      stands_for.push_back(std::move(reads));
      continue;
    }
    stands_for.push_back({static_cast<int>(kept.size())});
    kept.push_back({.name = plain_name(raw), .reads = std::move(reads)});
  }
  return task::OperatorGraph(std::move(kept));
}

std::string main_family(const task::OperatorGraph& graph) {
  if (graph.empty()) return {};
  for (const auto& each : graph.operators()) {
    if (task::is_product(each.name)) return analysis::operator_family(each.name);
  }
  return analysis::operator_family(graph.operators().back().name);
}

}  // namespace tritonrl::data
