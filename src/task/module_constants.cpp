#include "task/module_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace tritonrl::task {
namespace {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;
using pysource::SyntaxTree;

std::optional<std::int64_t> combine(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case Op::kAdd:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return result;
    case Op::kSub:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return result;
    case Op::kMul:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return result;
    case Op::kFloorDiv:
      if (a < 0 || b <= 0) return std::nullopt;
      return a / b;
    case Op::kMod:
      if (a < 0 || b <= 0) return std::nullopt;
      return a % b;
    case Op::kShiftLeft:
      if (a < 0 || b < 0 || b > 40 || a > (std::int64_t{1} << 20)) return std::nullopt;
      return a << b;
    case Op::kShiftRight:
      if (a < 0 || b < 0 || b > 62) return std::nullopt;
      return a >> b;
    case Op::kPow:
      if (b < 0 || b > 62) return std::nullopt;
      result = 1;
      for (std::int64_t i = 0; i < b; ++i) {
        if (__builtin_mul_overflow(result, a, &result)) return std::nullopt;
      }
      return result;
    default:
      return std::nullopt;
  }
}

// The value of an integer expression over literals and the names in `values`.
std::optional<std::int64_t> fold(const SyntaxTree& tree, NodeId node, const Values& values, int depth) {
  if (depth > 100) return std::nullopt;
  switch (tree.kind(node)) {
    case Kind::kInt:
      return tree.int_value(node);
    case Kind::kName: {
      const auto found = values.find(tree.text(node));
      return found == values.end() ? std::nullopt : std::optional(found->second);
    }
    case Kind::kUnary: {
      const auto operand = fold(tree, tree.kid(node, 0), values, depth + 1);
      if (!operand || (tree.op(node) != Op::kSub && tree.op(node) != Op::kAdd)) return std::nullopt;
      return combine(tree.op(node), 0, *operand);
    }
    case Kind::kBinary: {
      const auto left = fold(tree, tree.kid(node, 0), values, depth + 1);
      const auto right = left ? fold(tree, tree.kid(node, 1), values, depth + 1) : std::nullopt;
      return right ? combine(tree.op(node), *left, *right) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool is_sequence(const SyntaxTree& tree, NodeId node) {
  return tree.kind(node) == Kind::kTuple || tree.kind(node) == Kind::kListDisplay;
}

// The targets of `a = b = value`, and the value.
std::pair<std::vector<NodeId>, NodeId> unchain(const SyntaxTree& tree, NodeId assignment) {
  std::vector<NodeId> targets;
  NodeId node = assignment;
  while (tree.kind(node) == Kind::kAssign) {
    targets.push_back(tree.kid(node, 0));
    node = tree.kid(node, 1);
  }
  return {std::move(targets), node};
}

// The names that a target binds; `changed` adds those whose items or attributes it changes.
std::vector<NodeId> names_in_target(const SyntaxTree& tree, NodeId target, bool changed) {
  std::vector<NodeId> names;
  std::vector<NodeId> unread = {target};
  while (!unread.empty()) {
    const NodeId node = unread.back();
    unread.pop_back();
    if (tree.kind(node) == Kind::kName) names.push_back(node);
    const bool part = tree.kind(node) == Kind::kSubscript || tree.kind(node) == Kind::kAttribute;
    if (part && changed) unread.push_back(tree.kid(node, 0));
    if (is_sequence(tree, node) || tree.kind(node) == Kind::kStarred) {
      for (const NodeId item : tree.kids(node)) unread.push_back(item);
    }
  }
  return names;
}

}  // namespace

std::optional<std::int64_t> fold_integer(const SyntaxTree& tree, NodeId node, const Values& values) {
  return fold(tree, node, values, 0);
}

ModuleConstants::ModuleConstants(const SyntaxTree& tree) : tree_(tree) {
  for (NodeId node = 1; node < tree.size(); ++node) by_begin_.push_back(node);
  std::stable_sort(by_begin_.begin(), by_begin_.end(),
                   [&](NodeId a, NodeId b) { return tree.begin(a) < tree.begin(b); });
  count_bindings();
  for (const NodeId statement : tree.kids(tree.root())) {
    if (tree.kind(statement) == Kind::kAssign) read_assignment(statement);
  }
}

bool ModuleConstants::is_constant(std::string_view name) const {
  const auto all = bindings_.find(name);
  const auto plain = plain_bindings_.find(name);
  return all != bindings_.end() && plain != plain_bindings_.end() && all->second == plain->second;
}

void ModuleConstants::each_node_in(Span span, const std::function<void(NodeId)>& visit) const {
  auto node = std::lower_bound(by_begin_.begin(), by_begin_.end(), span.begin,
                               [&](NodeId id, std::uint32_t begin) { return tree_.begin(id) < begin; });
  for (; node != by_begin_.end() && tree_.begin(*node) < span.end; ++node) visit(*node);
}

// What `span` uses and does not itself assign or take as parameters.
std::set<std::string_view> ModuleConstants::free_names(Span span) const {
  std::set<std::string_view> names;
  std::set<std::string_view> own;
  each_node_in(span, [&](NodeId node) {
    switch (tree_.kind(node)) {
      case Kind::kName:
        names.insert(tree_.text(node));
        break;
      case Kind::kParam:
        own.insert(tree_.text(node));
        break;
      case Kind::kAssign:
        if (tree_.kind(tree_.kid(node, 0)) == Kind::kName) own.insert(tree_.text(tree_.kid(node, 0)));
        break;
      default:
        break;
    }
  });
  for (const std::string_view name : own) names.erase(name);
  return names;
}

std::set<std::string_view> ModuleConstants::names_inputs_use() const {
  std::set<std::string_view> used;
  std::set<std::uint32_t> read;  // where spans begin: names of one statement share theirs
  std::vector<std::string_view> unread(std::begin(kInputFunctions), std::end(kInputFunctions));
  while (!unread.empty()) {
    const auto definition = definitions_.find(unread.back());
    unread.pop_back();
    if (definition == definitions_.end()) continue;
    for (const Span span : definition->second) {
      if (!read.insert(span.begin).second) continue;
      for (const std::string_view name : free_names(span)) {
        if (used.insert(name).second) unread.push_back(name);
      }
    }
  }
  return used;
}

void ModuleConstants::bind(std::string_view name, Span definition) {
  ++bindings_[name];
  definitions_[name].push_back(definition);
}

void ModuleConstants::bind_targets(NodeId target, Span definition) {
  for (const NodeId name : names_in_target(tree_, target, true)) bind(tree_.text(name), definition);
}

void ModuleConstants::count_bindings() {
  std::vector<NodeId> blocks = {tree_.root()};
  while (!blocks.empty()) {
    const NodeId block = blocks.back();
    blocks.pop_back();
    for (const NodeId node : tree_.kids(block)) {
      const Span span{.begin = tree_.begin(node), .end = tree_.end(node)};
      switch (tree_.kind(node)) {
        case Kind::kFunctionDef:
        case Kind::kClassDef:
          bind(tree_.text(node), span);
          break;
        case Kind::kAssign: {
          const auto [targets, value] = unchain(tree_, node);
          if (value == kAbsentNode) break;  // a bare annotation binds nothing
          for (const NodeId target : targets) {
            bind_targets(target, {.begin = tree_.begin(value), .end = tree_.end(value)});
          }
          break;
        }
        case Kind::kAugAssign:
        case Kind::kDelete:
          bind_targets(tree_.kid(node, 0), span);
          break;
        case Kind::kAlias: {
          const NodeId as = tree_.kid(node, 0);
          const std::string_view dotted = tree_.text(node);
          bind(as == kAbsentNode ? dotted.substr(0, dotted.find('.')) : tree_.text(as), span);
          break;
        }
        case Kind::kFor:
          bind_targets(tree_.kid(node, 0), span);
          blocks.push_back(node);
          break;
        case Kind::kWithItem:
          bind_targets(tree_.kid(node, 1), span);
          break;
        case Kind::kImport:
        case Kind::kImportFrom:
        case Kind::kWith:
        case Kind::kList:
        case Kind::kBlock:
        case Kind::kWhile:
        case Kind::kIf:
        case Kind::kTry:
        case Kind::kHandler:
        case Kind::kMatch:
        case Kind::kCase:
          blocks.push_back(node);
          break;
        default:
          break;
      }
    }
  }
  for (const NodeId node : tree_.kids(tree_.root())) {
    if (tree_.kind(node) != Kind::kAssign) continue;
    const auto [targets, value] = unchain(tree_, node);
    if (value == kAbsentNode) continue;
    for (const NodeId target : targets) {
      for (const NodeId name : names_in_target(tree_, target, false)) ++plain_bindings_[tree_.text(name)];
    }
  }
  // What a function declares global, or a walrus names, may change anywhere.
  for (NodeId node = 1; node < tree_.size(); ++node) {
    if (tree_.kind(node) == Kind::kNamed) ++bindings_[tree_.text(node)];
    if (tree_.kind(node) == Kind::kGlobal) {
      for (const NodeId name : tree_.kids(node)) ++bindings_[tree_.text(name)];
    }
  }
}

// What `target` held before is gone.
void ModuleConstants::forget(NodeId target) {
  for (const NodeId name : names_in_target(tree_, target, false)) {
    const auto bound = sites_of_.find(tree_.text(name));
    if (bound == sites_of_.end()) continue;
    for (const std::size_t site : bound->second) {
      sites_[site].overwritten = true;
      values_.erase(sites_[site].name);
    }
    sites_of_.erase(bound);
  }
}

void ModuleConstants::read_assignment(NodeId assignment) {
  const auto [targets, value] = unchain(tree_, assignment);
  if (value == kAbsentNode) return;
  const std::size_t first = sites_.size();
  const bool names_only =
      std::all_of(targets.begin(), targets.end(), [&](NodeId target) { return tree_.kind(target) == Kind::kName; });
  if (names_only) {
    for (const NodeId target : targets) {
      add_site(std::string(tree_.text(target)), value, targets.size() > 1 ? assignment : kAbsentNode);
    }
  }
  const auto items = is_sequence(tree_, value) && targets.size() == 1 ? tree_.kids(value) : std::span<const NodeId>();
  const bool starred =
      std::any_of(items.begin(), items.end(), [&](NodeId item) { return tree_.kind(item) == Kind::kStarred; });
  const bool parallel = is_sequence(tree_, targets[0]) && tree_.kids(targets[0]).size() == items.size();
  for (std::size_t i = 0; i < items.size() && !starred; ++i) {
    const NodeId target = parallel ? tree_.kid(targets[0], i) : kAbsentNode;
    if (names_only) add_site(fmt::format("{}[{}]", tree_.text(targets[0]), i), items[i], kAbsentNode);
    if (tree_.kind(target) == Kind::kName) add_site(std::string(tree_.text(target)), items[i], kAbsentNode);
  }
  // Only now: the value was computed from what the names held before.
  for (const NodeId target : targets) forget(target);
  for (std::size_t site = first; site < sites_.size(); ++site) {
    const std::string_view name = sites_[site].name;
    const auto bound = bindings_.find(name.substr(0, name.find('[')));
    if (is_constant(bound->first)) values_[sites_[site].name] = sites_[site].value;
    sites_of_[bound->first].push_back(site);
  }
}

void ModuleConstants::add_site(std::string name, NodeId expression, NodeId chain) {
  const auto value = fold(tree_, expression, values_, 0);
  if (!value) return;
  sites_.push_back({.name = std::move(name),
                    .value = *value,
                    .expression = {.begin = tree_.begin(expression), .end = tree_.end(expression)},
                    .computed = !fold(tree_, expression, {}, 0),
                    .overwritten = false,
                    .chain = chain});
}

}  // namespace tritonrl::task
