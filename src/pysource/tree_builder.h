#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

struct SourceSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// A SyntaxTree in the making: nodes are added children first. Both parsers build with it, so what a string or an elif
// becomes is decided in one place.
class TreeBuilder {
 public:
  explicit TreeBuilder(std::string_view source);

  void reserve(std::size_t nodes);
  std::string_view source() const { return tree_.source(); }
  std::string_view source_of(SourceSpan at) const { return source().substr(at.begin, at.end - at.begin); }
  const SyntaxTree& tree() const { return tree_; }

  NodeId add(Kind kind, SourceSpan at, std::span<const NodeId> kids, std::string_view text = {}, Op op = Op::kNothing);
  NodeId add(Kind kind, SourceSpan at, std::initializer_list<NodeId> kids, std::string_view text = {},
             Op op = Op::kNothing) {
    return add(kind, at, std::span(kids.begin(), kids.size()), text, op);
  }

  // The name a.b, however much blank its parts have between them.
  std::string_view dotted_name(SourceSpan at);

  // A whole literal that is not formatted.
  NodeId add_string(SourceSpan literal);
  // What stands between the fields of a formatted string.
  NodeId add_formatted_text(SourceSpan at, bool raw);
  // A formatted string of its parts; without any field it is an ordinary String.
  NodeId add_formatted(SourceSpan literal, std::span<const NodeId> parts);
  // Strings that stand next to each other.
  NodeId add_concatenated(SourceSpan at, std::span<const NodeId> strings);
  // An if, its elifs (Ifs without an else, in order), and the else of the last.
  NodeId add_if(SourceSpan at, NodeId condition, NodeId body, std::span<const NodeId> elifs, NodeId otherwise);
  // *(a.b) for the node (*a).b: the star that its first kid is goes around all of it.
  NodeId add_with_star_outside(NodeId node);
  // (a if b else c) as d for the node a if b else (c as d), likewise.
  NodeId add_with_as_outside(NodeId node);
  NodeId add_delete(SourceSpan at, std::span<const NodeId> targets);

  void set_decorators(NodeId definition, NodeId list);
  void set_op(NodeId node, Op op) { tree_.nodes_[node].op = op; }

  SyntaxTree finish(NodeId root) &&;

 private:
  std::string_view keep(std::string text) { return tree_.decoded_->emplace_back(std::move(text)); }
  std::string_view joined_text(std::span<const NodeId> strings);

  SyntaxTree tree_;
};

}  // namespace tritonrl::pysource
