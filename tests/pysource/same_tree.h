#pragma once

#include <algorithm>
#include <string>
#include <variant>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

// The first difference between two results of parsing; empty if there is none.
inline std::string tree_difference(const std::variant<SyntaxTree, SourceError>& a,
                                   const std::variant<SyntaxTree, SourceError>& b) {
  if (a.index() != b.index()) {
    const auto& error = std::get<SourceError>(a.index() == 1 ? a : b);
    return std::string(a.index() == 0 ? "only the first" : "only the second") + " parsed; for the other, at byte " +
           std::to_string(error.offset) + ": " + error.message;
  }
  if (const auto* error = std::get_if<SourceError>(&a)) {
    const auto& other = std::get<SourceError>(b);
    const bool same = error->kind == other.kind && error->offset == other.offset && error->message == other.message;
    return same ? "" : "the errors differ: '" + error->message + "' and '" + other.message + "'";
  }
  const auto& first = std::get<SyntaxTree>(a);
  const auto& second = std::get<SyntaxTree>(b);
  // Numbers of nodes may differ, so both are walked side by side.
  std::vector<std::pair<NodeId, NodeId>> open = {{first.root(), second.root()}};
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    const auto kids_x = first.kids(x);
    const auto kids_y = second.kids(y);
    const bool same = first.kind(x) == second.kind(y) && first.op(x) == second.op(y) &&
                      first.text(x) == second.text(y) && first.begin(x) == second.begin(y) &&
                      first.end(x) == second.end(y) && kids_x.size() == kids_y.size();
    if (!same)
      return "the trees differ at byte " + std::to_string(first.begin(x)) + ", kinds " +
             std::to_string(static_cast<int>(first.kind(x))) + " and " +
             std::to_string(static_cast<int>(second.kind(y)));
    for (std::size_t i = 0; i < kids_x.size(); ++i) open.emplace_back(kids_x[i], kids_y[i]);
  }
  return "";
}

}  // namespace tritonrl::pysource
