#include "task/literal_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "task/dimensions.h"
#include "task/reference.h"

namespace tritonrl::task {
namespace {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::SyntaxTree;

constexpr std::array<std::string_view, 7> kMakers = {"rand", "randn", "zeros", "ones", "empty", "randint", "full"};

class LiteralFinder {
 public:
  explicit LiteralFinder(const SyntaxTree& tree) : tree_(tree) {}

  std::vector<LiteralSize> run() {
    const auto inputs = parameters("forward");
    const auto items = returned("get_inputs");
    for (std::size_t n = 0; n < items.size(); ++n) {
      std::size_t axis = 0;
      add_axes(items[n], n < inputs.size() ? inputs[n] : fmt::format("input{}", n), axis);
    }
    const auto arguments = parameters("__init__");
    const auto init = returned("get_init_inputs");
    for (std::size_t n = 0; n < init.size() && n < arguments.size(); ++n) add(init[n], arguments[n]);
    std::ranges::sort(found_, {}, [](const LiteralSize& size) { return size.literal.begin; });
    return std::move(found_);
  }

 private:
  std::vector<std::string> parameters(std::string_view method) const {
    std::vector<std::string> names;
    for (const NodeId statement : tree_.kids(tree_.root())) {
      if (tree_.kind(statement) != Kind::kClassDef || tree_.text(statement) != "Model") continue;
      for (const NodeId inner : tree_.kids(tree_.kid(statement, 2))) {
        if (tree_.kind(inner) != Kind::kFunctionDef || tree_.text(inner) != method) continue;
        const auto all = tree_.kids(tree_.kid(inner, 1));
        for (std::size_t n = 1; n < all.size(); ++n) names.emplace_back(tree_.text(all[n]));
      }
    }
    return names;
  }

  // The items of the list that a function returns.
  std::vector<NodeId> returned(std::string_view name) const {
    const NodeId function = find_function(tree_, name);
    if (function == kAbsentNode) return {};
    for (const NodeId statement : tree_.kids(tree_.kid(function, 2))) {
      const NodeId value = tree_.kind(statement) == Kind::kReturn ? tree_.kid(statement, 0) : kAbsentNode;
      if (tree_.kind(value) != Kind::kListDisplay) continue;
      const auto items = tree_.kids(value);
      return {items.begin(), items.end()};
    }
    return {};
  }

  // The sizes of a tensor that torch.rand(4, 8) or torch.rand([4, 8]) makes.
  void add_axes(NodeId node, const std::string& name, std::size_t& axis) {
    if (tree_.kind(node) != Kind::kCall) return;
    const NodeId function = tree_.kid(node, 0);
    if (tree_.kind(function) != Kind::kAttribute || std::ranges::find(kMakers, tree_.text(function)) == kMakers.end()) {
      return;
    }
    const bool bounded = tree_.text(function) == "randint";  // its numbers outside a list are bounds
    for (const NodeId argument : tree_.kids(tree_.kid(node, 1))) {
      const Kind kind = tree_.kind(argument);
      if (kind == Kind::kListDisplay || kind == Kind::kTuple) {
        for (const NodeId size : tree_.kids(argument)) add(size, fmt::format("{}_{}", name, axis++));
        return;
      }
      if (kind == Kind::kInt && !bounded) add(argument, fmt::format("{}_{}", name, axis++));
    }
  }

  void add(NodeId node, const std::string& name) {
    const auto value = tree_.kind(node) == Kind::kInt ? tree_.int_value(node) : std::nullopt;
    if (!value || *value < 1) return;
    found_.push_back({.name = name, .value = *value, .literal = {.begin = tree_.begin(node), .end = tree_.end(node)}});
  }

  const SyntaxTree& tree_;
  std::vector<LiteralSize> found_;
};

// A name that the module does not use yet.
std::string fresh_name(const SyntaxTree& tree, std::string name) {
  std::set<std::string_view> taken;
  for (NodeId node = 1; node < tree.size(); ++node) {
    const Kind kind = tree.kind(node);
    const bool binds =
        kind == Kind::kName || kind == Kind::kFunctionDef || kind == Kind::kClassDef || kind == Kind::kAlias;
    if (binds) taken.insert(tree.text(node));
  }
  while (taken.contains(name)) name += "_size";
  return name;
}

}  // namespace

std::vector<LiteralSize> find_literal_sizes(const Task& task) {
  const SyntaxTree tree = parse_reference(task.source, task.where);
  auto sizes = LiteralFinder(tree).run();
  for (LiteralSize& size : sizes) size.name = fresh_name(tree, std::move(size.name));
  return sizes;
}

Task with_named_sizes(Task task, const std::vector<LiteralSize>& sizes) {
  const SyntaxTree tree = parse_reference(task.source, task.where);
  std::uint32_t before = static_cast<std::uint32_t>(task.source.size());
  for (const std::string_view name : kInputFunctions) {
    if (const NodeId function = find_function(tree, name); function != kAbsentNode) {
      before = std::min(before, tree.begin(function));
    }
  }
  std::string constants;
  std::set<std::string_view> named;
  for (const LiteralSize& size : sizes) {
    if (named.insert(size.name).second) constants += fmt::format("{} = {}\n", size.name, size.value);
  }
  if (constants.empty()) return task;
  for (std::size_t n = sizes.size(); n-- > 0;) {
    const Span at = sizes[n].literal;
    task.source.replace(at.begin, at.end - at.begin, sizes[n].name);
  }
  task.source.insert(before, constants + "\n\n");
  task.dims = find_dimensions(parse_reference(task.source, task.where));
  return task;
}

}  // namespace tritonrl::task
