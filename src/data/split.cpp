#include "data/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/digest.h"
#include "base/text.h"
#include "task/fingerprint.h"
#include "task/operator_graph.h"

namespace tritonrl::data {
namespace {

using base::Json;
using Pair = std::pair<std::string, std::string>;

// Tasks that are one problem at several sizes.
struct Group {
  std::string key;
  std::string draw;         // its place in a random order
  std::size_t length = 0;   // in operators, 0 where no graph was recorded
  std::string composition;  // then the tree
  std::vector<Pair> pairs;
  std::vector<task::Task> tasks;
};

std::string key_of(const task::Task& task) {
  return task.graph.empty() ? task::tree_fingerprint(task.source) : task.graph;
}

std::string composition_of(const task::Task& task) {
  return task.graph.empty() ? key_of(task) : task::OperatorGraph::parse(task.graph).composition();
}

std::string sizes_of(const task::Task& task) {
  std::string text;
  for (const auto& dimension : task.dims) text += dimension.name + "=" + std::to_string(dimension.value) + " ";
  return text.empty() ? base::sha256_hex(task.source) : text;
}

class Splitting {
 public:
  Splitting(std::vector<task::Task> tasks, const SplitConfig& config) : config_(config), total_(tasks.size()) {
    std::map<std::string, Group> by_key;
    std::ranges::sort(tasks, base::natural_less, &task::Task::id);
    for (task::Task& task : tasks) {
      const std::string key = key_of(task);
      Group& group = by_key[key];
      if (group.tasks.empty()) {
        group.key = key;
        group.draw = base::sha256_hex(std::to_string(config.seed) + ' ' + key);
        const auto graph = task::OperatorGraph::parse(task.graph);
        group.length = graph.operators().size();
        group.composition = composition_of(task);
        group.pairs = graph.adjacent_pairs();
      }
      group.tasks.push_back(std::move(task));
    }
    for (auto& [key, group] : by_key) groups_.push_back(std::move(group));
    std::ranges::sort(groups_, {}, &Group::draw);
  }

  Split run() {
    hold_out_longest();
    hold_out_pairs();
    hold_out_compositions();
    hold_out_sizes();
    move_to_dev();
    for (Group& group : groups_) {
      for (task::Task& task : group.tasks) split_.train.push_back(std::move(task));
    }
    name_slices();
    return std::move(split_);
  }

 private:
  // Tasks that one of the four slices of the test should hold.
  std::size_t slice_size() const {
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(config_.test_share * static_cast<double>(total_) / 4)));
  }

  // Small suites have no room for all four.
  bool has_room_for(std::size_t count) const {
    const double most = std::max(1.0, 2 * config_.test_share * static_cast<double>(total_));
    return static_cast<double>(split_.test.size() + count) <= most;
  }

  void test(Group& group) {
    for (task::Task& task : group.tasks) split_.test.push_back({.task = std::move(task), .slices = {}});
    group.tasks.clear();
  }

  void forget_empty() {
    std::erase_if(groups_, [](const Group& group) { return group.tasks.empty(); });
  }

  // All of the longest graphs, unless that is too much of everything.
  void hold_out_longest() {
    std::size_t longest = 0;
    for (const Group& group : groups_) longest = std::max(longest, group.length);
    std::size_t count = 0;
    for (const Group& group : groups_) count += group.length == longest ? group.tasks.size() : 0;
    if (longest < 2 || count > 2 * slice_size() || !has_room_for(count)) return;
    for (Group& group : groups_) {
      if (group.length == longest) test(group);
    }
    forget_empty();
  }

  // Every graph with one of some adjacent pairs, the rarest first.
  void hold_out_pairs() {
    std::map<Pair, std::size_t> counts;
    for (const Group& group : groups_) {
      for (const Pair& pair : group.pairs) counts[pair] += group.tasks.size();
    }
    std::vector<std::pair<std::size_t, Pair>> rarest;
    for (const auto& [pair, count] : counts) rarest.emplace_back(count, pair);
    std::ranges::sort(rarest);
    std::size_t held = 0;
    for (const auto& [count, pair] : rarest) {
      if (held + count > slice_size() && held > 0) break;
      if (held + count > 2 * slice_size() || !has_room_for(count)) break;
      for (Group& group : groups_) {
        if (!std::ranges::binary_search(group.pairs, pair)) continue;
        held += group.tasks.size();
        test(group);
      }
      forget_empty();
    }
  }

  void hold_out_compositions() {
    std::map<std::string_view, std::size_t> counts;
    for (const Group& group : groups_) counts[group.composition] += group.tasks.size();
    std::size_t held = 0;
    std::set<std::string> chosen;
    // First those of few tasks: one composition of very many would be most of the slice.
    for (const std::size_t most : {(slice_size() + 3) / 4, 2 * slice_size()}) {
      for (const Group& group : groups_) {
        const std::size_t count = counts[group.composition];
        if (held >= slice_size()) break;
        if (group.length == 1 || chosen.contains(group.composition)) continue;
        if (count > most || !has_room_for(held + count)) continue;
        chosen.insert(group.composition);
        held += count;
      }
    }
    for (Group& group : groups_) {
      if (chosen.contains(group.composition)) test(group);
    }
    forget_empty();
  }

  // One task of a group that has several, at sizes that the others do not have.
  void hold_out_sizes() {
    std::size_t held = 0;
    for (Group& group : groups_) {
      if (held >= slice_size()) return;
      std::map<std::string, std::size_t> sizes;
      for (const auto& task : group.tasks) ++sizes[sizes_of(task)];
      if (sizes.size() < 2 || !has_room_for(sizes.rbegin()->second)) continue;
      const std::string chosen = sizes.rbegin()->first;
      for (task::Task& task : group.tasks) {
        if (sizes_of(task) == chosen) split_.test.push_back({.task = std::move(task), .slices = {}});
      }
      std::erase_if(group.tasks, [](const task::Task& task) { return task.source.empty(); });
      held += sizes[chosen];
    }
  }

  void move_to_dev() {
    const auto wanted = static_cast<std::size_t>(std::lround(config_.dev_share * static_cast<double>(total_)));
    std::set<std::string> tested;  // what has unseen sizes in the test stays in train
    for (const TestTask& each : split_.test) tested.insert(key_of(each.task));
    // First those that fit: one graph of very many tasks would be most of dev.
    for (const bool fitting : {true, false}) {
      for (Group& group : groups_) {
        if (split_.dev.size() >= wanted || (!fitting && !split_.dev.empty())) break;
        if (tested.contains(group.key)) continue;
        if (fitting && split_.dev.size() + group.tasks.size() > wanted) continue;
        for (task::Task& task : group.tasks) split_.dev.push_back(std::move(task));
        group.tasks.clear();
      }
    }
    forget_empty();
  }

  // By what train really holds, so that the names are true.
  void name_slices() {
    std::set<std::string> keys;
    std::set<std::string> compositions;
    std::set<Pair> pairs;
    std::set<std::string> sizes;
    std::size_t longest = 0;
    for (const task::Task& task : split_.train) {
      const auto graph = task::OperatorGraph::parse(task.graph);
      keys.insert(key_of(task));
      compositions.insert(composition_of(task));
      for (const Pair& pair : graph.adjacent_pairs()) pairs.insert(pair);
      longest = std::max(longest, graph.operators().size());
      sizes.insert(key_of(task) + '\n' + sizes_of(task));
    }
    for (TestTask& each : split_.test) {
      const auto graph = task::OperatorGraph::parse(each.task.graph);
      const std::string key = key_of(each.task);
      if (keys.contains(key) && !sizes.contains(key + '\n' + sizes_of(each.task)))
        each.slices.emplace_back("unseen-size");
      if (!compositions.contains(composition_of(each.task))) each.slices.emplace_back("unseen-composition");
      if (graph.empty()) continue;
      const auto own = graph.adjacent_pairs();
      if (std::ranges::any_of(own, [&](const Pair& pair) { return !pairs.contains(pair); })) {
        each.slices.emplace_back("unseen-pair");
      }
      if (graph.operators().size() == longest + 1) each.slices.emplace_back("longer");
    }
  }

  SplitConfig config_;
  std::size_t total_;
  std::vector<Group> groups_;
  Split split_;
};

}  // namespace

Split split_tasks(std::vector<task::Task> tasks, const SplitConfig& config) {
  return Splitting(std::move(tasks), config).run();
}

Json Split::json() const {
  Json slices = {{"unseen-size", 0}, {"unseen-composition", 0}, {"unseen-pair", 0}, {"longer", 0}, {"none", 0}};
  for (const TestTask& each : test) {
    for (const std::string& slice : each.slices) slices[slice] = slices[slice].get<std::size_t>() + 1;
    if (each.slices.empty()) slices["none"] = slices["none"].get<std::size_t>() + 1;
  }
  return {{"train", train.size()}, {"dev", dev.size()}, {"test", test.size()}, {"test_slices", slices}};
}

}  // namespace tritonrl::data
