#include "data/overlap.h"

#include "task/fingerprint.h"

namespace tritonrl::data {

void TaskIndex::add(const std::string& name, const task::Task& task) {
  trees_.emplace(task::tree_fingerprint(task.source), name);
  if (!task.graph.empty()) graphs_.emplace(task.graph, name);
}

std::optional<Overlap> TaskIndex::find_by_tree(const task::Task& task) const {
  const auto found = trees_.find(task::tree_fingerprint(task.source));
  if (found == trees_.end()) return std::nullopt;
  return Overlap{.task = task.id, .with = found->second, .by = "tree"};
}

std::optional<Overlap> TaskIndex::find(const task::Task& task) const {
  if (auto same = find_by_tree(task)) return same;
  const auto found = task.graph.empty() ? graphs_.end() : graphs_.find(task.graph);
  if (found == graphs_.end()) return std::nullopt;
  return Overlap{.task = task.id, .with = found->second, .by = "graph"};
}

}  // namespace tritonrl::data
