#include "pysource/tree_builder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "pysource/string_literal.h"

namespace tritonrl::pysource {

TreeBuilder::TreeBuilder(std::string_view source) {
  tree_.source_ = std::make_unique<const std::string>(source);
  tree_.decoded_ = std::make_unique<std::deque<std::string>>();
  tree_.nodes_.emplace_back();
}

void TreeBuilder::reserve(std::size_t nodes) {
  tree_.nodes_.reserve(nodes);
  tree_.kids_.reserve(nodes);
}

NodeId TreeBuilder::add(Kind kind, SourceSpan at, std::span<const NodeId> kids, std::string_view text, Op op) {
  tree_.nodes_.push_back({.kind = kind,
                          .op = op,
                          .begin = at.begin,
                          .end = at.end,
                          .first_kid = static_cast<std::uint32_t>(tree_.kids_.size()),
                          .kid_count = static_cast<std::uint32_t>(kids.size()),
                          .text = text});
  tree_.kids_.insert(tree_.kids_.end(), kids.begin(), kids.end());
  return static_cast<NodeId>(tree_.nodes_.size() - 1);
}

std::string_view TreeBuilder::dotted_name(SourceSpan at) {
  constexpr std::string_view kBlanks = " \t\f\r\n\\";
  const std::string_view spelling = source_of(at);
  if (spelling.find_first_of(kBlanks) == std::string_view::npos) return spelling;
  std::string name(spelling);
  std::erase_if(name, [&](char c) { return kBlanks.find(c) != std::string_view::npos; });
  return keep(std::move(name));
}

NodeId TreeBuilder::add_string(SourceSpan literal) {
  const std::string_view spelling = source_of(literal);
  const StringPrefix prefix = read_string_prefix(spelling);
  const std::string_view inside = string_body(spelling, prefix);
  const Kind kind = prefix.bytes ? Kind::kBytes : Kind::kString;
  if (prefix.raw || inside.find('\\') == std::string_view::npos) return add(kind, literal, {}, inside);
  return add(kind, literal, {}, keep(decode_escapes(inside, prefix.bytes)));
}

NodeId TreeBuilder::add_formatted_text(SourceSpan at, bool raw) {
  std::string text = unescape_braces(source_of(at));
  if (!raw) text = decode_escapes(text, false);
  return add(Kind::kString, at, {}, keep(std::move(text)));
}

std::string_view TreeBuilder::joined_text(std::span<const NodeId> strings) {
  std::string whole;
  for (const NodeId each : strings) whole += tree_.text(each);
  return keep(std::move(whole));
}

NodeId TreeBuilder::add_formatted(SourceSpan literal, std::span<const NodeId> parts) {
  const bool constant = std::ranges::all_of(parts, [&](NodeId part) { return tree_.kind(part) == Kind::kString; });
  return constant ? add(Kind::kString, literal, {}, joined_text(parts)) : add(Kind::kFString, literal, parts);
}

NodeId TreeBuilder::add_concatenated(SourceSpan at, std::span<const NodeId> strings) {
  const auto formatted = [&](NodeId each) { return tree_.kind(each) == Kind::kFString; };
  if (std::ranges::none_of(strings, formatted)) {
    const Kind kind = strings.empty() ? Kind::kString : tree_.kind(strings[0]);
    return add(kind, at, {}, joined_text(strings));
  }
  std::vector<NodeId> parts;
  for (const NodeId each : strings) {
    if (formatted(each)) {
      const auto kids = tree_.kids(each);
      parts.insert(parts.end(), kids.begin(), kids.end());
    } else {
      parts.push_back(each);
    }
  }
  return add(Kind::kFString, at, parts);
}

NodeId TreeBuilder::add_if(SourceSpan at, NodeId condition, NodeId body, std::span<const NodeId> elifs,
                           NodeId otherwise) {
  for (std::size_t i = elifs.size(); i-- > 0;) {
    const NodeId elif = elifs[i];
    otherwise =
        add(Kind::kIf, {tree_.begin(elif), tree_.end(elif)}, {tree_.kid(elif, 0), tree_.kid(elif, 1), otherwise});
  }
  return add(Kind::kIf, at, {condition, body, otherwise});
}

NodeId TreeBuilder::add_with_star_outside(NodeId node) {
  const NodeId star = tree_.kid(node, 0);
  std::vector<NodeId> kids(tree_.kids(node).begin(), tree_.kids(node).end());
  kids[0] = tree_.kid(star, 0);
  const auto begin = static_cast<std::uint32_t>(source().find_first_not_of(" \t\f\r\n\\", tree_.begin(star) + 1));
  const NodeId inside = add(tree_.kind(node), {begin, tree_.end(node)}, kids, tree_.text(node), tree_.op(node));
  return add(Kind::kStarred, {tree_.begin(star), tree_.end(node)}, {inside});
}

NodeId TreeBuilder::add_with_as_outside(NodeId node) {
  const NodeId item = tree_.kids(node).back();
  const NodeId target = tree_.kid(item, 1);
  std::vector<NodeId> kids(tree_.kids(node).begin(), tree_.kids(node).end());
  kids.back() = tree_.kid(item, 0);
  const std::size_t as = source().rfind("as", tree_.begin(target));
  const auto end = static_cast<std::uint32_t>(source().find_last_not_of(" \t\f\r\n\\", as - 1) + 1);
  const NodeId inside = add(tree_.kind(node), {tree_.begin(node), end}, kids, tree_.text(node), tree_.op(node));
  return add(Kind::kWithItem, {tree_.begin(node), tree_.end(node)}, {inside, target});
}

NodeId TreeBuilder::add_delete(SourceSpan at, std::span<const NodeId> targets) {
  if (targets.size() != 1 || tree_.kind(targets[0]) != Kind::kTuple) return add(Kind::kDelete, at, targets);
  const auto elements = tree_.kids(targets[0]);
  return add(Kind::kDelete, at, std::vector<NodeId>(elements.begin(), elements.end()));
}

void TreeBuilder::set_decorators(NodeId definition, NodeId list) {
  tree_.kids_[tree_.nodes_[definition].first_kid] = list;
}

SyntaxTree TreeBuilder::finish(NodeId root) && {
  tree_.root_ = root;
  return std::move(tree_);
}

}  // namespace tritonrl::pysource
