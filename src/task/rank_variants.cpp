#include "task/rank_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "task/dimensions.h"
#include "task/module_constants.h"
#include "task/reference.h"

namespace tritonrl::task {
namespace {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::SyntaxTree;

constexpr std::array<std::string_view, 2> kMakers = {"rand", "randn"};

// The axes of one input, as expressions in the source.
using Axes = std::vector<Span>;

std::optional<Axes> axes_of(const SyntaxTree& tree, NodeId input) {
  const NodeId function = tree.kind(input) == Kind::kCall ? tree.kid(input, 0) : kAbsentNode;
  if (tree.kind(function) != Kind::kAttribute || std::ranges::find(kMakers, tree.text(function)) == kMakers.end()) {
    return std::nullopt;
  }
  auto sizes = tree.kids(tree.kid(input, 1));
  if (sizes.size() == 1 && (tree.kind(sizes[0]) == Kind::kListDisplay || tree.kind(sizes[0]) == Kind::kTuple)) {
    sizes = tree.kids(sizes[0]);
  }
  Axes axes;
  for (const NodeId size : sizes) {
    if (tree.kind(size) == Kind::kKeyword) continue;
    if (tree.kind(size) != Kind::kInt && tree.kind(size) != Kind::kName) return std::nullopt;
    axes.push_back({.begin = tree.begin(size), .end = tree.end(size)});
  }
  return axes.empty() ? std::nullopt : std::optional(axes);
}

// Of every input, in the order of the source; nothing where one of them is made in another way.
std::optional<std::vector<Axes>> input_axes(const SyntaxTree& tree) {
  const NodeId function = find_function(tree, "get_inputs");
  const auto body = function == kAbsentNode ? std::span<const NodeId>() : tree.kids(tree.kid(function, 2));
  if (body.size() != 1 || tree.kind(body[0]) != Kind::kReturn) return std::nullopt;
  const NodeId list = tree.kid(body[0], 0);
  if (tree.kind(list) != Kind::kListDisplay || tree.kids(list).empty()) return std::nullopt;
  std::vector<Axes> all;
  for (const NodeId input : tree.kids(list)) {
    auto axes = axes_of(tree, input);
    if (!axes) return std::nullopt;
    all.push_back(*std::move(axes));
  }
  return all;
}

Task renamed(const Task& task, std::string source, std::size_t rank) {
  Task other = task;
  other.id = fmt::format("{}@{}d", task.id, rank);
  other.source = std::move(source);
  other.variants.clear();
  other.dims = find_dimensions(parse_reference(other.source, other.where));
  return other;
}

}  // namespace

std::vector<Task> with_other_ranks(const Task& task) {
  const SyntaxTree tree = parse_reference(task.source, task.where);
  const auto inputs = input_axes(tree);
  if (!inputs) return {};
  const std::size_t rank = inputs->front().size();
  std::string more = task.source;
  std::string fewer = task.source;
  for (auto axes = inputs->rbegin(); axes != inputs->rend(); ++axes) {
    more.insert(axes->front().begin, "2, ");
    if (axes->size() > 1) fewer.erase((*axes)[0].begin, (*axes)[1].begin - (*axes)[0].begin);
  }
  std::vector<Task> tasks = {renamed(task, std::move(more), rank + 1)};
  const bool shrinks = std::ranges::all_of(*inputs, [](const Axes& axes) { return axes.size() > 1; });
  if (shrinks) tasks.push_back(renamed(task, std::move(fewer), rank - 1));
  return tasks;
}

}  // namespace tritonrl::task
